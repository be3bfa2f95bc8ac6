import { randomUUID } from 'node:crypto';
import { EngineDown } from '@acervo/contracts';
import { bulkLines, type Write, writeOutcome } from './bulk';
import { IndexLost, OpenSearchRefused } from './engine-errors';
import { chunkId, indexShape, placeOf } from './index-shape';
import { termsClauses, visibilityClauses } from './lexical-query';

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
    expect(visibilityClauses(visibility)).toEqual([{ terms: { entity_code: ['E1'] } }]);
    expect(visibilityClauses({ ...visibility, locationRoots: ['L1', 'L2'], locationCode: 'L3' })).toEqual([
      { terms: { entity_code: ['E1'] } },
      { terms: { location_ancestors: ['L1', 'L2'] } },
      { term: { location_ancestors: 'L3' } },
    ]);
  });
});

it('the index has the embedded BM25 constants and splits at spaces', () => {
  expect(indexShape(0).settings).toMatchObject({
    similarity: { bm25: { type: 'BM25', k1: 1.2, b: 0.75 } },
    analysis: { analyzer: { tokens: { tokenizer: 'whitespace' } } },
  });
});
