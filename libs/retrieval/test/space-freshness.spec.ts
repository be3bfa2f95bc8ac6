import { randomUUID } from 'node:crypto';
import { NotFound, type Resolution } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';
import { userScope } from './documents';
import { numberedDocuments, placeDocuments, type PlacedDocument, SpaceCalls } from './spaces';
import { openRetrieval, type Retrieval } from './support';

jest.setTimeout(60_000);

const MANY = 1_100;
const QUERY = { query: 'palabra', limit: 5, minSimilarity: 0 };
let retrieval: Retrieval;
let calls: SpaceCalls;
let groupId: string;
let owner: Scope;

const place = (...documents: PlacedDocument[]): Promise<void> => placeDocuments(retrieval, groupId, documents);

beforeAll(async () => {
  retrieval = await openRetrieval({ environment: { ACERVO_SPACES_REFRESH_SECONDS: '60' } });
  calls = await SpaceCalls.of(retrieval);
});
afterAll(() => retrieval.close());
beforeEach(async () => {
  groupId = randomUUID();
  owner = userScope(groupId, { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k' });
  await place(...numberedDocuments('A', 0, 2), ...numberedDocuments('B', 2, 5));
});

/** Lets time pass since the last refresh of all spaces. */
const age = (seconds = 61): Promise<unknown> =>
  retrieval.database.write({ groupId }, (tx) =>
    tx.query(`update retrieval.space set refreshed_at = now() - make_interval(secs => $2) where group_id = $1`, [
      groupId,
      seconds,
    ]),
  );
const versionOf = async (spaceId: number): Promise<number | undefined> => {
  const rows = await retrieval.database.read({ groupId }, (tx) =>
    tx.query<{ version: number }>('select version from retrieval.space where group_id = $1 and space_id = $2', [
      groupId,
      spaceId,
    ]),
  );
  return rows[0]?.version;
};
const read = async (spaceId: number, resolution: Resolution = 'count', reader = owner): Promise<unknown> =>
  retrieval.spaceReading.read(reader, { spaceId, resolution, limit: 50 });
/** How many documents a reading of the record shows. */
const total = async (spaceId: number): Promise<number> => (await calls.get(owner, spaceId)).space.documentCount;

describe('a space that is older than the setting allows', () => {
  it.each<[string, (spaceId: number) => Promise<unknown>]>([
    ['a count', (spaceId) => read(spaceId)],
    ['a manifest', (spaceId) => read(spaceId, 'manifest')],
    ['its record', (spaceId) => calls.get(owner, spaceId)],
    ['its documents', (spaceId) => calls.documents(owner, spaceId)],
    ['a search', (spaceId) => retrieval.searchWith().search(owner, { ...QUERY, spaceId })],
    ['an explanation', (spaceId) => retrieval.explainWith().explain(owner, { ...QUERY, spaceId })],
  ])('%s reads it after a refresh', async (_what, readBy) => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['A'] });
    await place(...numberedDocuments('A', 10, 13));
    await age();
    await readBy(spaceId);
    expect(await versionOf(spaceId)).toBe(2);
    expect(await total(spaceId)).toBe(5);
  });

  it('a younger one is read as it is', async () => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['A'] });
    await place(...numberedDocuments('A', 10, 13));
    await age(30);
    expect(await total(spaceId)).toBe(2);
  });

  it('readers at the same time refresh it once', async () => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['A'] });
    await age();
    await Promise.all(Array.from({ length: 5 }, () => total(spaceId)));
    expect(await versionOf(spaceId)).toBe(2);
  });

  it('operands are refreshed before what is composed of them, at any depth', async () => {
    const a = await calls.gathered(owner, { documentTypes: ['A'] });
    const b = await calls.gathered(owner, { documentTypes: ['B'] });
    const { spaceId: both } = await calls.compose(owner, 'union', [a, b]);
    const { spaceId: top } = await calls.compose(owner, 'difference', [both, a]);
    await place(...numberedDocuments('B', 20, 22));
    await age();
    expect(await total(top)).toBe(5);
    expect((await calls.get(owner, top)).space).toMatchObject({ documentCount: 5, isStale: false });
  });

  it('a space that is composed of itself many times is looked up', async () => {
    let spaceId = await calls.gathered(owner, { documentTypes: ['A'] });
    for (let depth = 0; depth < 24; depth += 1) ({ spaceId } = await calls.compose(owner, 'union', [spaceId, spaceId]));
    await place(...numberedDocuments('A', 10, 13));
    await age();
    // Where each space is looked up as often as it is named, these are 16 million look-ups.
    expect(await total(spaceId)).toBe(5);
  });

  it('a large one is gathered by a task; until then the set before is read', async () => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['A'] });
    const { spaceId: composed } = await calls.compose(owner, 'union', [spaceId, spaceId]);
    await place(...numberedDocuments('A', 1_000, 1_000 + MANY));
    await age();
    retrieval.notified.length = 0;
    expect(await total(composed)).toBe(2);
    expect(retrieval.notified).toEqual(['refresh-space']);
    expect(await total(composed)).toBe(2);
    await retrieval.work(groupId, 'refresh-space');
    expect([await total(spaceId), await versionOf(composed)]).toEqual([MANY + 2, 1]);
    await total(composed);
    await retrieval.work(groupId, 'refresh-space');
    expect(await total(composed)).toBe(MANY + 2);
  });

  it('a fixed list, and a space whose operand was deleted, stay as they are', async () => {
    const a = await calls.gathered(owner, { documentTypes: ['A'] });
    const { spaceId: orphan } = await calls.compose(owner, 'union', [a, a]);
    await calls.delete(owner, a);
    const { spaceId: empty } = await calls.create(owner);
    await age();
    expect([await total(orphan), await versionOf(orphan)]).toEqual([2, 1]);
    expect([await total(empty), await versionOf(empty)]).toEqual([0, 0]);
  });

  it('a reader who does not see it refreshes nothing', async () => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['A'] });
    await age();
    const other = userScope(groupId, { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k' });
    await expect(read(spaceId, 'count', other)).rejects.toThrow(NotFound);
    expect(await versionOf(spaceId)).toBe(1);
  });
});
