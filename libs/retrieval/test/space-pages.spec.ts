import { randomUUID } from 'node:crypto';
import { visibilityOf } from '@acervo/rbac';
import { MANY } from '../src/spaces/member-count';
import { SpaceDocumentReader } from '../src/spaces/reading/space-document-reader';
import { userScope } from './documents';
import { placeDocuments, type PlacedDocument } from './spaces';
import { keepSpace } from './stored-spaces';
import { openRetrieval, type Retrieval } from './support';

jest.setTimeout(60_000);

const SPACE = 1;
const groupId = randomUUID();
const scope = userScope(groupId);
let retrieval: Retrieval;
let reader: SpaceDocumentReader;

/** Every second document is a member; of each ten, one is hidden, one withdrawn, one not searchable. */
const documents: PlacedDocument[] = Array.from({ length: 400 }, (_, index) => ({
  ...{ documentId: randomUUID(), code: `${index % 3 === 0 ? 'ñ' : 'D'}${(index * 7_919) % 1_000}-${index}` },
  ...(index % 10 === 4 ? { entityCode: 'E9' } : {}),
  ...(index % 10 === 6 ? { withdrawn: true } : {}),
  ...(index % 10 === 8 ? { live: false } : {}),
}));
const expected = documents
  .filter((_, index) => index % 2 === 0 && ![4, 6, 8].includes(index % 10))
  .map(({ code }) => code)
  .toSorted();

beforeAll(async () => {
  retrieval = await openRetrieval();
  reader = await retrieval.provider(SpaceDocumentReader);
  await placeDocuments(retrieval, groupId, documents);
  const members = documents.filter((_, index) => index % 2 === 0).map(({ documentId }) => documentId);
  await keepSpace(retrieval, { groupId, spaceId: SPACE, members });
});
afterAll(() => retrieval.close());

/** The codes of all pages. `total` decides how they are read. */
const codes = (total: number, limit: number): Promise<string[]> =>
  retrieval.database.read(scope, async (tx) => {
    const searched = { ...visibilityOf(scope), space: { spaceId: SPACE, version: 1 }, total };
    const found: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await reader.page(tx, searched, { after, limit });
      found.push(...page.map(({ code }) => code));
      if (page.length < limit) return found;
      after = found.at(-1) ?? null;
    }
  });

it.each([1, 3, 7, 50])('pages of %i documents are the same along the codes and from the members', async (limit) => {
  expect(await codes(0, limit)).toEqual(expected);
  expect(await codes(MANY, limit)).toEqual(expected);
});

it('a page of a large space reads only documents that it walks past', async () => {
  const statements: { readonly sql: string; readonly params: readonly unknown[] }[] = [];
  await retrieval.database.read(scope, async (tx) => {
    const prepared = jest.spyOn(tx, 'prepared');
    const searched = { ...visibilityOf(scope), space: { spaceId: SPACE, version: 1 }, total: MANY };
    await reader.page(tx, searched, { after: null, limit: 5 });
    statements.push(...prepared.mock.calls.map(([sql, params]) => ({ sql, params })));
  });
  const [walk] = statements.filter(({ sql }) => sql.includes('page as materialized'));
  const rows = await retrieval.database.read(scope, (tx) =>
    tx.query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off) ${walk?.sql}`, walk?.params ?? []),
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const [, read] = /Index Scan using document_code on document d\w* .*rows=(\d+)/.exec(plan) ?? [plan];
  expect(Number(read)).toBeLessThan(60);
  expect(plan).not.toContain('Sort');
});
