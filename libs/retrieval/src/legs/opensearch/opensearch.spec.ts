import { randomUUID } from 'node:crypto';
import { EngineDown } from '@acervo/contracts';
import { bulkLines, type Write, writeOutcome } from './bulk';
import { IndexLost, OpenSearchRefused } from './engine-errors';
import { chunkId, indexShape, placeOf } from './index-shape';
import { searchedDocuments } from '../searched-documents';
import { termsClauses, searchedClauses } from './lexical-query';
import { memberClauses } from './member-filter';

const scope = { groupId: randomUUID() };
const item = (status: number, type?: string) => ({
  index: { status, error: type === undefined ? undefined : { type } },
});

describe('the place of a chunk', () => {
  it('the place of a chunk is read back from its id', () => {
    const place = { documentId: randomUUID(), generation: 12, ordinal: 3 };
    expect(placeOf(chunkId(place))).toEqual(place);
  });
  it.each(['', 'x', 'x_1', 'x_1_2_3', 'x_a_b'])('an id of another form has no place: %p', (id) => {
    expect(() => placeOf(id)).toThrow(TypeError);
  });
});

describe('a bulk request', () => {
  const writes = Array.from({ length: 900 }, (_, ordinal): Write => ({
    ...{ documentId: 'd', generation: 1, ordinal, version: 7 },
    content: { gone: false, terms: 'agu' },
  }));

  it('a bulk request writes each document to each index under its revision', () => {
    const bodies = [...bulkLines(scope, ['old', 'new'], writes)];
    expect(bodies.every((body) => body.length <= 800)).toBe(true);
    const lines = bodies.flat();
    expect(lines).toHaveLength(900 * 2 * 2);
    expect(lines.slice(0, 2)).toEqual([
      { index: { _index: 'old', _id: 'd_1_0', version: 7, version_type: 'external_gte' } },
      { group_id: scope.groupId, document_id: 'd', generation: 1, ordinal: 0, gone: false, terms: 'agu' },
    ]);
  });

  it('a bulk request succeeds when a later version exists', () => {
    expect(writeOutcome([item(201), item(409, 'version_conflict_engine_exception'), item(200)])).toBeNull();
  });

  it.each([
    [429, 'rejected_execution_exception', EngineDown],
    [404, 'index_not_found_exception', IndexLost],
    [400, 'strict_dynamic_mapping_exception', IndexLost],
    [400, 'mapper_parsing_exception', OpenSearchRefused],
  ])('a bulk request with status %p fails with its meaning', (status, type, kind) => {
    expect(writeOutcome([item(201), item(status, type)])).toBeInstanceOf(kind);
  });

  it('a failure of all documents precedes a failure of one', () => {
    const outcome = writeOutcome([
      item(400, 'mapper_parsing_exception'),
      item(404, 'index_not_found_exception'),
      item(503),
    ]);
    expect(outcome).toBeInstanceOf(EngineDown);
  });
});

describe('a query', () => {
  it('a query names each term once, weighted by its count', () => {
    expect(termsClauses('agu luz agu')).toEqual([
      { term: { terms: { value: 'agu', boost: 2 } } },
      { term: { terms: { value: 'luz', boost: 1 } } },
    ]);
  });
  it('a query carries exactly the restrictions of its caller', () => {
    const visibility = { ...scope, entities: ['E1'], locationRoots: null, locationCode: null };
    expect(searchedClauses(visibility)).toEqual([{ terms: { entity_code: ['E1'] } }]);
    expect(searchedClauses({ ...visibility, locationRoots: ['L1', 'L2'], locationCode: 'L3' })).toEqual([
      { terms: { entity_code: ['E1'] } },
      { terms: { location_ancestors: ['L1', 'L2'] } },
      { term: { location_ancestors: 'L3' } },
    ]);
  });
  it('a query carries the codes of its filter, one clause for each kind', () => {
    const visibility = { ...scope, entities: ['E1'], locationRoots: null, locationCode: null };
    const filter = { documentTypes: ['CONTRACT', 'INVOICE'], attributes: [], characteristics: ['SIGNED'] };
    expect(searchedClauses(searchedDocuments(visibility, filter))).toEqual([
      { terms: { entity_code: ['E1'] } },
      { terms: { type_codes: ['CONTRACT', 'INVOICE'] } },
      { terms: { characteristic_codes: ['SIGNED'] } },
    ]);
  });
});

describe('the filter of a space', () => {
  const ids = (length: number): string[] => Array.from({ length }, (_, index) => `id${index}`);
  it('members are named in clauses of at most 65,536', () => {
    const [clause, ...others] = memberClauses({ kind: 'members', ids: ids(140_000) });
    const { should } = (clause as { bool: { should: { terms: { document_id: string[] } }[] } }).bool;
    expect(should.map(({ terms }) => terms.document_id.length)).toEqual([65_536, 65_536, 8_928]);
    expect(should.flatMap(({ terms }) => terms.document_id)).toEqual(ids(140_000));
    expect([clause, others]).toMatchObject([{ bool: { minimum_should_match: 1 } }, []]);
  });
  it('other documents are excluded', () => {
    expect(memberClauses({ kind: 'others', ids: ['a', 'b'] })).toEqual([
      { bool: { must_not: [{ terms: { document_id: ['a', 'b'] } }] } },
    ]);
  });
  it('a space without members matches nothing, and one of every document everything', () => {
    expect(memberClauses({ kind: 'members', ids: [] })).toEqual([{ match_none: {} }]);
    expect(memberClauses({ kind: 'others', ids: [] })).toEqual([]);
  });
  it('lists that are too long do not narrow the query', () => {
    expect(memberClauses({ kind: null, ids: [] })).toEqual([]);
  });
});

it('the index has the embedded BM25 constants and splits at spaces', () => {
  expect(indexShape(0).settings).toMatchObject({
    similarity: { bm25: { type: 'BM25', k1: 1.2, b: 0.75 } },
    analysis: { analyzer: { tokens: { tokenizer: 'whitespace' } } },
  });
});
