import { randomUUID } from 'node:crypto';
import { leavingWithin } from '@acervo/platform-calls';
import { describeOnStack } from '@acervo/platform-testing';
import type { Scope } from '@acervo/rbac';
import { described, userScope, workScope } from './documents';
import { placeDocuments, type PlacedDocument, SpaceCalls, worked } from './spaces';
import { openRetrieval, type Retrieval } from './support';

jest.setTimeout(60_000);

const MANY = 1_100;
/** The connections of a process: so many calls run at once. */
const AT_ONCE = 8;

/** The embedded engine has one session, so that its transactions never overlap. */
describeOnStack('transactions about spaces that overlap', ['postgres'], () => {
  let retrieval: Retrieval;
  let calls: SpaceCalls;
  let groupId: string;
  let owner: Scope;

  const documents = (count: number, type: string): PlacedDocument[] =>
    Array.from({ length: count }, () => ({ documentId: randomUUID(), code: randomUUID(), types: [type] }));
  const shown = async (spaceId: number) => {
    const { documentCount, isStale } = (await calls.get(owner, spaceId)).space;
    return { documentCount, isStale };
  };

  beforeAll(async () => {
    retrieval = await openRetrieval();
    calls = await SpaceCalls.of(retrieval);
  });
  afterAll(() => retrieval.close());
  beforeEach(() => {
    groupId = randomUUID();
    owner = userScope(groupId, { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k' });
  });

  it('a fact that commits after a refresh began makes the space stale', async () => {
    const [first, late] = [documents(1, 'A'), documents(1, 'B')];
    await placeDocuments(retrieval, groupId, [...first, ...late]);
    const spaceId = await calls.gathered(owner, { documentTypes: ['A'] });
    let [hasWritten, mayCommit] = [(): void => undefined, (): void => undefined];
    const written = new Promise<void>((resolve) => (hasWritten = resolve));
    const released = new Promise<void>((resolve) => (mayCommit = resolve));
    const [{ documentId = '' } = {}] = late;
    const fact = described({ documentId, revision: 2, typeCodes: ['A'], locationAncestors: ['L1'] });
    const committed = retrieval.database.write({ groupId }, async (tx) => {
      await retrieval.consumer.describe(workScope(groupId), tx, [fact]);
      hasWritten();
      await released;
    });
    await written;
    expect(await calls.refresh(owner, spaceId)).toMatchObject({ documentCount: 1, isStale: false });
    mayCommit();
    await committed;
    expect(await shown(spaceId)).toEqual({ documentCount: 1, isStale: true });
    expect(await calls.refresh(owner, spaceId)).toMatchObject({ documentCount: 2, isStale: false });
  });

  it('spaces that are made at once have different numbers', async () => {
    const made = await Promise.all(Array.from({ length: 3 * AT_ONCE }, () => calls.create(owner)));
    const numbers = made.map(({ spaceId }) => spaceId).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 3 * AT_ONCE }, (_, index) => index + 1));
  });

  it('refreshes, compositions and new criteria at once wait for each other', async () => {
    await placeDocuments(retrieval, groupId, [...documents(20, 'A'), ...documents(5, 'B')]);
    const [a, b] = [
      await calls.gathered(owner, { documentTypes: ['A'] }),
      await calls.gathered(owner, { documentTypes: ['B'] }),
    ];
    const turns = Array.from({ length: 2 * AT_ONCE }, (_, turn): Promise<unknown> => {
      if (turn % 4 === 0) return calls.refresh(owner, a);
      if (turn % 4 === 1) return calls.compose(owner, 'union', [a, b]);
      if (turn % 4 === 2) return calls.compose(owner, 'difference', [b, a]);
      return calls.setCriteria(owner, b, { documentTypes: ['B'] });
    });
    await Promise.all(turns);
    const { spaces } = await calls.list(owner, 200);
    const counts = spaces.map(({ spaceId, documentCount }) => [spaceId, documentCount]);
    expect(counts).toContainEqual([a, 20]);
    expect(counts).toContainEqual([b, 5]);
    const composed = spaces.filter(({ spaceId }) => spaceId !== a && spaceId !== b);
    expect(composed.map(({ documentCount }) => documentCount).toSorted((x, y) => x - y)).toEqual([
      5, 5, 5, 5, 25, 25, 25, 25,
    ]);
  });

  it('readers beside a refresh see the old set or the new one', async () => {
    await placeDocuments(retrieval, groupId, [...documents(MANY, 'A'), ...documents(3, 'B')]);
    const spaceId = await calls.gathered(owner, { documentTypes: ['B'] });
    await leavingWithin(0, () => calls.setCriteria(owner, spaceId, { documentTypes: ['A', 'B'] }));
    const total = MANY + 3;
    const counted = new Set([(await shown(spaceId)).documentCount]);
    const reading = (async (): Promise<void> => {
      while (!counted.has(total)) counted.add((await shown(spaceId)).documentCount);
    })();
    await worked(retrieval, groupId, reading);
    expect([...counted]).toEqual([3, total]);
  });
});
