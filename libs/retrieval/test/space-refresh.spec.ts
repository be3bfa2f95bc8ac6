import { randomUUID } from 'node:crypto';
import { NotFound, type SetOperation } from '@acervo/contracts';
import { leavingWithin } from '@acervo/platform-calls';
import { appRole } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import type { Scope } from '@acervo/rbac';
import { NothingAndThen, userScope } from './documents';
import { numberedDocuments, placeDocuments, SpaceCalls, worked as workedOn } from './spaces';
import { openRetrieval, type Replaced, type Retrieval } from './support';

jest.setTimeout(60_000);

const MANY = 1_100;
/** Kills at the first slice and at later ones; a refresh with fewer slices ends. */
const KILLS = 6;
let retrieval: Retrieval;
let calls: SpaceCalls;
let groupId: string;
let owner: Scope;

beforeAll(async () => {
  retrieval = await openRetrieval();
  calls = await SpaceCalls.of(retrieval);
});
afterAll(() => retrieval.close());
beforeEach(async () => {
  groupId = randomUUID();
  owner = userScope(groupId, { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k' });
  await placeDocuments(retrieval, groupId, [
    ...numberedDocuments('A', 0, MANY),
    ...numberedDocuments('B', MANY, MANY + 3),
  ]);
});

const work = (replaced?: Replaced): Promise<number> => retrieval.work(groupId, 'refresh-space', replaced);
/** A call, and the work that it waits for. */
const worked = <T>(call: Promise<T>): Promise<T> => workedOn(retrieval, groupId, call);
/** A call whose caller does not wait for work. */
const unworked = <T>(call: () => Promise<T>): Promise<T> => leavingWithin(0, call);
/** How many members each version has. */
const versions = async (spaceId: number): Promise<Record<number, number>> => {
  const rows = await retrieval.database.read({ groupId }, (tx) =>
    tx.query<{ version: number; members: number }>(
      `select version, count(*)::int as members from retrieval.space_member where group_id = $1 and space_id = $2
       group by version`,
      [groupId, spaceId],
    ),
  );
  return Object.fromEntries(rows.map(({ version, members }) => [version, members]));
};
const shown = async (spaceId: number) => {
  const { documentCount, isStale } = (await calls.get(owner, spaceId)).space;
  return { documentCount, isStale };
};
const due = (stage: string): Promise<unknown> =>
  retrieval.database.write({ groupId }, (tx) =>
    tx.query(
      `update retrieval.task set not_before = now(), leased_until = now() - interval '1 s'
      where group_id = $1 and stage = $2`,
      [groupId, stage],
    ),
  );
const interrupted = (): never => {
  throw new Error('Interrupted by the test.');
};

describe('a space with more documents than one transaction writes', () => {
  it('a call waits for the task and answers the complete set', async () => {
    const spaceId = await worked(calls.gathered(owner, { documentTypes: ['A', 'B'] }));
    expect(await shown(spaceId)).toEqual({ documentCount: MANY + 3, isStale: false });
    expect(await versions(spaceId)).toEqual({ 1: MANY + 3 });
    expect(retrieval.notified).toContain('refresh-space');
  });

  it('a call whose caller no longer waits answers a stale space', async () => {
    const spaceId = await unworked(() => calls.gathered(owner, { documentTypes: ['A'] }));
    expect(await shown(spaceId)).toEqual({ documentCount: 0, isStale: true });
    await work();
    expect(await shown(spaceId)).toEqual({ documentCount: MANY, isStale: false });
  });

  it.each<[SetOperation, number]>([
    ['union', MANY + 3],
    ['intersection', MANY],
    ['difference', 3],
    ['symmetric_difference', 3],
  ])('%s is composed in slices', async (operation, expected) => {
    const all = await worked(calls.gathered(owner, { documentTypes: ['A', 'B'] }));
    const some = await worked(calls.gathered(owner, { documentTypes: ['A'] }));
    const { spaceId, documentCount, isStale } = await worked(calls.compose(owner, operation, [all, some]));
    expect({ documentCount, isStale }).toEqual({ documentCount: expected, isStale: false });
    const [version] = Object.keys(await versions(spaceId));
    expect(await versions(spaceId)).toEqual({ [Number(version)]: expected });
  });

  it('few documents among more than one transaction compares are gathered by the task', async () => {
    await placeDocuments(retrieval, groupId, numberedDocuments('C', 10_000, 14_000));
    const few = await unworked(() => calls.gathered(owner, { documentTypes: ['B'] }));
    expect(await shown(few)).toEqual({ documentCount: 0, isStale: true });
    await work();
    expect(await shown(few)).toEqual({ documentCount: 3, isStale: false });
    expect(await calls.codes(owner, few)).toEqual(['D01100', 'D01101', 'D01102']);
  });

  it('a refresh joins the one that runs', async () => {
    const spaceId = await unworked(() => calls.gathered(owner, { documentTypes: ['A'] }));
    await unworked(() => calls.refresh(owner, spaceId));
    expect(await work()).toBe(1);
    expect(await work()).toBe(0);
    expect(await versions(spaceId)).toEqual({ 1: MANY });
  });

  it('new criteria make the running refresh obsolete', async () => {
    const spaceId = await unworked(() => calls.gathered(owner, { documentTypes: ['A'] }));
    await calls.setCriteria(owner, spaceId, { documentTypes: ['B'] });
    await work();
    expect(await shown(spaceId)).toEqual({ documentCount: 3, isStale: false });
    expect(await versions(spaceId)).toEqual({ 2: 3 });
  });

  it('a deleted space is refreshed no further, and its members go', async () => {
    const spaceId = await worked(calls.gathered(owner, { documentTypes: ['A'] }));
    await unworked(() => calls.refresh(owner, spaceId));
    await calls.delete(owner, spaceId);
    await work();
    await due('purge-space');
    await retrieval.work(groupId, 'purge-space');
    expect(await versions(spaceId)).toEqual({});
    await expect(calls.get(owner, spaceId)).rejects.toThrow(NotFound);
    const tasks = await retrieval.database.read({ groupId }, (tx) => tx.query('select stage from retrieval.task'));
    expect(tasks).toEqual([{ stage: 'schedule-spaces' }]);
  });

  it('operands that were refreshed meanwhile are read again', async () => {
    const a = await worked(calls.gathered(owner, { documentTypes: ['A'] }));
    const { spaceId } = await unworked(() => calls.compose(owner, 'union', [a, a]));
    // The first one finds nothing to clear, the second one no further candidate.
    const background = new NothingAndThen(
      retrieval.db.connection(appRole('retrieval')),
      () => calls.setCriteria(owner, a, { documentTypes: ['B'] }),
      2,
    );
    await work({ background });
    expect(await shown(spaceId)).toEqual({ documentCount: 3, isStale: false });
  });

  it('an operand that is deleted ends the refresh', async () => {
    const a = await worked(calls.gathered(owner, { documentTypes: ['A'] }));
    const { spaceId } = await unworked(() => calls.compose(owner, 'union', [a, a]));
    await calls.delete(owner, a);
    expect(await work()).toBe(1);
    expect(await work()).toBe(0);
    expect(await shown(spaceId)).toEqual({ documentCount: 0, isStale: true });
  });

  it('what an abandoned refresh wrote is no member of a later set', async () => {
    const a = await worked(calls.gathered(owner, { documentTypes: ['A'] }));
    const { spaceId } = await unworked(() => calls.compose(owner, 'union', [a, a]));
    await work({ failpoints: Failpoints.from('space.middle:2', interrupted) });
    expect(Object.keys(await versions(spaceId))).toEqual(['1']);
    await calls.delete(owner, a);
    await due('refresh-space');
    await work();
    expect(await versions(spaceId)).toEqual({});
    await calls.setCriteria(owner, spaceId, { documentTypes: ['B'] });
    expect(await calls.codes(owner, spaceId)).toEqual(['D01100', 'D01101', 'D01102']);
  });

  it('versions before the one that is read are deleted later', async () => {
    const spaceId = await worked(calls.gathered(owner, { documentTypes: ['A'] }));
    await calls.setCriteria(owner, spaceId, { documentTypes: ['B'] });
    expect(await retrieval.work(groupId, 'purge-space')).toBe(0);
    expect(await versions(spaceId)).toEqual({ 1: MANY, 2: 3 });
    await due('purge-space');
    await retrieval.work(groupId, 'purge-space');
    expect(await versions(spaceId)).toEqual({ 2: 3 });
  });
});

describe('a refresh that is killed', () => {
  it('readers see the old set or the new one, after each kill', async () => {
    const spaceId = await calls.gathered(owner, { documentTypes: ['B'] });
    let [before, next] = [3, MANY + 3];
    let deaths = 0;
    const die = (): never => {
      deaths += 1;
      return interrupted();
    };
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const documentTypes = next > 3 ? ['A', 'B'] : ['B'];
      await unworked(() => calls.setCriteria(owner, spaceId, { documentTypes }));
      const failpoints = Failpoints.from(`space.middle:${kill}`, die);
      await work({ failpoints });
      const { documentCount } = await shown(spaceId);
      expect([before, next]).toContain(documentCount);
      await due('refresh-space');
      await work();
      expect(await shown(spaceId)).toEqual({ documentCount: next, isStale: false });
      [before, next] = [next, before];
    }
    expect(deaths).toBeGreaterThanOrEqual(2);
    await due('purge-space');
    while ((await retrieval.work(groupId, 'purge-space')) > 0);
    expect(await versions(spaceId)).toEqual({ [KILLS + 1]: before });
  });

  it('a run whose lease is lost writes nothing further', async () => {
    const spaceId = await unworked(() => calls.gathered(owner, { documentTypes: ['A'] }));
    const withdraw = async (): Promise<void> => {
      await retrieval.database.write({ groupId }, (tx) =>
        tx.query(`update retrieval.task set lease = $2 where group_id = $1`, [groupId, randomUUID()]),
      );
    };
    let isLost: Promise<void> | undefined;
    const failpoints = Failpoints.from('space.middle:2', () => (isLost = withdraw()));
    await work({ failpoints });
    await isLost;
    const { documentCount } = await shown(spaceId);
    expect(documentCount).toBe(0);
    await due('refresh-space');
    await work();
    expect(await shown(spaceId)).toEqual({ documentCount: MANY, isStale: false });
  });
});
