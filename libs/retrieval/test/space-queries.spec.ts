import { randomUUID } from 'node:crypto';
import { NotFound, QuotaExceeded, type ScopeClaims, type SpaceCriteria } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';
import { VectorIndex } from '../src/legs/ranking';
import { type SearchedDocuments, searchedSql } from '../src/legs/searched-documents';
import { AdmissionStore } from '../src/search/admission.store';
import type { Finder } from '../src/search/finder';
import { SimilarityUnavailable } from '../src/search/search.errors';
import { QueriedDocuments } from '../src/spaces/queried-documents';
import { SearchedQueries } from '../src/spaces/reading/searched-queries';
import { type DocumentInput, handOver, userScope, withdraw } from './documents';
import { criteriaOf, SpaceCalls } from './spaces';
import { openRetrieval, type Retrieval } from './support';

const groupId: string = randomUUID();
const DOCUMENTS: readonly (Partial<DocumentInput> & Pick<DocumentInput, 'texts'>)[] = [
  { code: 'POZO', name: 'pozo.txt', texts: ['El pozo da agua al pozo.'], typeCodes: ['REPORT'], language: 'es' },
  { code: 'RIEGO', texts: ['El riego toma agua del canal.', 'El pozo queda lejos.'], typeCodes: ['ACT'] },
  { code: 'LUZ', texts: ['La tarifa de la luz sube en marzo.'], typeCodes: ['REPORT'] },
  {
    code: 'OTRO',
    entityCode: 'E2',
    locationCode: 'L2',
    locationAncestors: ['L2'],
    texts: ['El pozo de otra entidad.'],
  },
  { code: 'OCULTO', entityCode: 'E9', texts: ['El pozo oculto.'] },
];
const ids = new Map<string, string>();
let retrieval: Retrieval;
let calls: SpaceCalls;

const user = (over: Partial<ScopeClaims> = {}): Scope =>
  userScope(groupId, { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k', ...over });

beforeAll(async () => {
  retrieval = await openRetrieval();
  calls = await SpaceCalls.of(retrieval);
  for (const document of DOCUMENTS) {
    const { documentId, code } = await handOver(retrieval, { groupId, ...document });
    ids.set(code, documentId);
  }
});
afterAll(() => retrieval.close());

interface Asked {
  readonly scope?: Scope;
  readonly entityCode?: string | null;
  readonly vector?: VectorIndex;
}
const queried = async (
  criteria: Partial<SpaceCriteria>,
  { scope = user(), entityCode = null, vector }: Asked = {},
): Promise<string[]> => {
  const provider = await retrieval.provider(QueriedDocuments, vector && { vector });
  const found = await provider.find(scope, criteriaOf({ query: 'pozo', ...criteria }), entityCode);
  return found.map((id) => [...ids].find(([, each]) => each === id)?.[0] ?? 'unknown');
};
const used = async (): Promise<number> => {
  const rows = await retrieval.database.read({ groupId }, (tx) =>
    tx.query<{ used: number }>('select used from retrieval.allowance'),
  );
  return rows[0]?.used ?? 0;
};

describe('the documents of a query', () => {
  it('a query gathers what a search of its caller finds, best first', async () => {
    const { documents } = await retrieval.searchWith().search(user(), { query: 'pozo', limit: 100, minSimilarity: 0 });
    expect(await queried({})).toEqual(documents.map(({ code }) => code));
    expect(await queried({})).not.toContain('OCULTO');
  });

  it.each<[string, Partial<SpaceCriteria>, Asked, readonly string[]]>([
    ['the best of them', { queryLimit: 1 }, {}, ['POZO']],
    ['those of a type', { documentTypes: ['REPORT'] }, {}, ['LUZ', 'POZO']],
    ['those of a name', { name: 'p*' }, {}, ['POZO']],
    ['those of a language and a type', { language: 'es', documentTypes: ['ACT'] }, {}, []],
    ['those of a folder', { locationCodes: ['L2'] }, {}, ['OTRO']],
    ['those of an entity', {}, { entityCode: 'E2' }, ['OTRO']],
    ['nothing in an entity beyond the caller', {}, { entityCode: 'E9' }, []],
    ['what its caller sees', {}, { scope: user({ entities: ['E9'] }) }, ['OCULTO']],
    ['what its caller sees under a focus', {}, { scope: user({ activeEntity: 'E2' }) }, ['OTRO']],
    ['nothing below a similarity', { minSimilarity: 1 }, {}, []],
  ])('a query gathers %s', async (_what, criteria, asked, expected) => {
    expect((await queried(criteria, asked)).toSorted()).toEqual(expected);
  });

  it('a query counts as one retrieval, and is refused when the quota is used up', async () => {
    const before = await used();
    await queried({});
    expect(await used()).toBe(before + 1);
    const poor = randomUUID();
    await retrieval.database.write({ groupId: poor }, (tx) =>
      tx.query('insert into retrieval.allowance (group_id, included) values ($1, 0)', [poor]),
    );
    await expect(queried({}, { scope: userScope(poor) })).rejects.toBeInstanceOf(QuotaExceeded);
  });

  it('a least similarity without a vector leg is refused and refunded', async () => {
    const down = new (class extends VectorIndex {
      readonly engine = 'test';
      rank = () => Promise.reject(new Error('down'));
    })();
    const before = await used();
    await expect(queried({ minSimilarity: 0.1 }, { vector: down })).rejects.toBeInstanceOf(SimilarityUnavailable);
    expect(await used()).toBe(before);
    expect((await queried({}, { vector: down })).toSorted()).toEqual(['OTRO', 'POZO', 'RIEGO']);
  });

  it('documents far beyond the depth of a search are gathered', async () => {
    const many = randomUUID();
    const { embeddingModel } = retrieval.embedder;
    await retrieval.buckets.prepare({ groupId: many }, embeddingModel.dimension);
    await retrieval.database.write({ groupId: many }, async (tx) => {
      const { embeddingIndex } = await retrieval.embeddingIndexes.ensure(tx, embeddingModel, true);
      const place = [many, embeddingIndex.indexId, embeddingIndex.bucket];
      await tx.query(
        `insert into retrieval.document (group_id, document_id, revision, code, name, summary, entity_code,
           location_code, location_ancestors, relative_path, path, origin)
         select $1, gen_random_uuid(), 1, 'D' || n, 'd', '', 'E1', 'L1', '{L1}', 'd', 'd', 'CARPETA'
         from generate_series(1, 6000) n`,
        [many],
      );
      await tx.query(
        `insert into retrieval.live (group_id, document_id, space_id, generation, bucket, chunk_count)
         select group_id, document_id, $2, 1, $3, 2 from retrieval.document where group_id = $1`,
        place,
      );
      await tx.query(
        `insert into retrieval.chunk (bucket, group_id, space_id, document_id, generation, ordinal, start_at, end_at,
           text, context, language, terms)
         select $3, d.group_id, $2, d.document_id, 1, n, n, n + 1, 'x', '', 'es', 'poc ' || lower(d.code)
         from retrieval.document d, generate_series(0, 1) n where d.group_id = $1`,
        place,
      );
    });
    const provider = await retrieval.provider(QueriedDocuments);
    const found = await provider.find(userScope(many), criteriaOf({ query: 'pozo', queryLimit: 5_000 }), null);
    expect(new Set(found).size).toBe(5_000);
    expect(await provider.find(userScope(many), criteriaOf({ query: 'pozo' }), null)).toHaveLength(1_000);
  });
});

describe('the statements of a query', () => {
  /** What is searched for a query of these criteria. */
  const searchedFor = async (criteria: Partial<SpaceCriteria>): Promise<SearchedDocuments> => {
    const best = jest.fn<Promise<string[]>, [Scope, SearchedDocuments]>().mockResolvedValue([]);
    await new SearchedQueries({ best } as Partial<Finder> as Finder).find(user(), criteriaOf(criteria), null);
    const [call] = best.mock.calls;
    if (call === undefined) throw new Error('Nothing is searched.');
    return call[1];
  };
  const codes = { documentTypes: ['REPORT'], attributes: ['AMOUNT'], characteristics: ['SIGNED'] };

  it.each<[string, Partial<SpaceCriteria>]>([
    ['codes', codes],
    ['codes and a name', { ...codes, name: 'p*' }],
  ])('%s are compared once', async (_what, criteria) => {
    const { sql } = searchedSql(await searchedFor({ query: 'pozo', ...criteria }), 'd');
    const columns = ['type_codes', 'attribute_codes', 'characteristic_codes', 'name'];
    const times = columns.map((column) => sql.split(`d.${column} `).length - 1);
    expect(times).toEqual([1, 1, 1, criteria.name === undefined ? 0 : 1]);
  });

  it.each<[string, Partial<SpaceCriteria>, 'prepared' | 'query']>([
    ['a query alone', {}, 'prepared'],
    ['codes', codes, 'prepared'],
    ['criteria whose text varies', { name: 'p*' }, 'query'],
  ])('%s: the count before the search is prepared only for few texts', async (_what, criteria, expected) => {
    const sent: string[] = [];
    const sends = (how: string) => () => Promise.resolve(void sent.push(how)).then(() => []);
    const tx = { groupId, query: sends('query'), prepared: sends('prepared') };
    await new AdmissionStore().of(tx, await searchedFor({ query: 'pozo', ...criteria }));
    expect(sent).toEqual([expected]);
  });
});

describe('a space with a query', () => {
  it('its documents are those of the query, until it is refreshed', async () => {
    const owner = user();
    const before = await used();
    const space = await calls.create(owner, {
      criteria: criteriaOf({ query: 'pozo', documentTypes: ['REPORT', 'ACT'] }),
    });
    expect(await used()).toBe(before + 1);
    const gathered = await calls.codes(owner, space.spaceId);
    expect(gathered).toEqual(['LUZ', 'POZO', 'RIEGO']);
    const { documentId } = await handOver(retrieval, {
      groupId,
      code: 'NUEVO',
      texts: ['Otro pozo.'],
      typeCodes: ['ACT'],
    });
    ids.set('NUEVO', documentId);
    expect(await calls.codes(owner, space.spaceId)).toEqual(gathered);
    await calls.refresh(owner, space.spaceId);
    expect(await calls.codes(owner, space.spaceId)).toEqual([...gathered, 'NUEVO'].toSorted());
    await withdraw(retrieval, groupId, documentId, 2);
    expect(await calls.codes(owner, space.spaceId)).toEqual(gathered);
  });

  it.each<[string, Partial<ScopeClaims>]>([
    ['a user', {}],
    ['a fixed key of all entities', { profile: 'ADMINISTRADOR', isFixed: true }],
  ])('an entity beside the focus of %s is refused before it is searched', async (_who, over) => {
    const caller = user({ activeEntity: 'E2', ...over });
    const before = await used();
    const criteria = criteriaOf({ query: 'pozo' });
    await expect(calls.create(caller, { entityCode: 'E1', criteria })).rejects.toBeInstanceOf(NotFound);
    expect(await used()).toBe(before);
    const { spaceId, entityCode } = await calls.create(caller, { entityCode: 'E2', criteria });
    expect([entityCode, await calls.codes(caller, spaceId)]).toEqual(['E2', ['OTRO']]);
  });

  it('set criteria gather the documents of another query', async () => {
    const owner = user();
    const { spaceId } = await calls.create(owner, { criteria: criteriaOf({ query: 'pozo', queryLimit: 1 }) });
    expect(await calls.codes(owner, spaceId)).toEqual(['POZO']);
    await calls.setCriteria(owner, spaceId, { query: 'tarifa de la luz', queryLimit: 1 });
    expect(await calls.codes(owner, spaceId)).toEqual(['LUZ']);
  });

  it('a search within it finds its documents alone', async () => {
    const owner = user();
    const { spaceId } = await calls.create(owner, { criteria: criteriaOf({ query: 'pozo', queryLimit: 1 }) });
    const { documents } = await retrieval
      .searchWith()
      .search(owner, { query: 'agua', limit: 10, minSimilarity: 0, spaceId });
    expect(documents.map(({ code }) => code)).toEqual(['POZO']);
  });
});
