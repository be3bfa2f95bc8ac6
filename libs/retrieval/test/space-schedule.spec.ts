import { randomUUID } from 'node:crypto';
import { readParameters, Unavailable } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { leavingWithin } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import { userScope } from './documents';
import { numberedDocuments, placeDocuments, SpaceCalls } from './spaces';
import { openRetrieval, type Retrieval } from './support';

jest.setTimeout(60_000);

/** More documents than one transaction writes. */
const MANY = 1_100;
/** The begin of a round of 24 hours. */
const MIDNIGHT = `date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'`;

let retrieval: Retrieval;
let calls: SpaceCalls;
let groupId: string;
let owner: Scope;
/** What auth answers; undefined while it is away. */
let hours: string | null | undefined;

const auth = {
  send: (call: object, scope: object, { parameterCodes }: { readonly parameterCodes: readonly string[] }) => {
    expect([call, scope]).toEqual([readParameters, expect.objectContaining({ kind: 'work', groupId })]);
    if (hours === undefined) return Promise.reject(new Unavailable('auth is away'));
    return Promise.resolve({ values: parameterCodes.map((parameterCode) => ({ parameterCode, value: hours })) });
  },
} as Pick<Calls, 'send'>;

const place = (type: string, from: number, to: number): Promise<void> =>
  placeDocuments(retrieval, groupId, numberedDocuments(type, from, to));

beforeAll(async () => {
  retrieval = await openRetrieval({ elsewhere: auth });
  calls = await SpaceCalls.of(retrieval);
});
afterAll(() => retrieval.close());
beforeEach(async () => {
  groupId = randomUUID();
  hours = '24';
  owner = userScope(groupId, { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k' });
  await place('A', 0, 2);
  await place('B', 2, 5);
});

const sql = <T extends object>(text: string, ...params: unknown[]): Promise<T[]> =>
  retrieval.database.write({ groupId }, (tx) => tx.query<T>(text, [groupId, ...params]));
/** Moves the last refreshes of these spaces to a moment; of all without a space. */
const refreshedAt = (moment: string, ...spaceIds: number[]): Promise<object[]> =>
  sql(
    `update retrieval.space set refreshed_at = ${moment} where group_id = $1
     and ($2::int[] = '{}' or space_id = any($2))`,
    spaceIds,
  );
/** A day passes, and the next look is due. */
const nextDay = async (): Promise<void> => {
  await refreshedAt(`refreshed_at - interval '1 day'`);
  await dueNow();
};
const dueNow = (): Promise<object[]> =>
  sql(`update retrieval.task set not_before = now(), leased_until = now() - interval '1 s' where group_id = $1`);
const look = (): Promise<number> => retrieval.work(groupId, 'schedule-spaces');
/** Looks until the round is over: a slow machine needs several. */
const round = async (): Promise<void> => {
  for (let looks = 0; looks < 6; looks += 1) {
    await look();
    await dueNow();
  }
};
const plannedLooks = () =>
  sql<{ after: number; reason: string | null }>(
    `select (payload ->> 'after')::int as after, reason from retrieval.task
     where group_id = $1 and stage = 'schedule-spaces' and status = 'WAITING' and not_before > now()`,
  );
/** Version and members of each space that was refreshed less than a day ago. */
const refreshed = async (): Promise<Record<number, [version: number, members: number]>> => {
  const rows = await sql<{ id: number; version: number; members: number }>(
    `select space_id as id, version, (select count(*)::int from retrieval.space_member m where m.group_id = $1
       and m.space_id = s.space_id and m.version = s.version) as members
     from retrieval.space s where group_id = $1 and refreshed_at > now() - interval '1 hour' order by 1`,
  );
  return Object.fromEntries(rows.map(({ id, version, members }) => [id, [version, members]]));
};
const create = (type: string): Promise<number> => calls.gathered(owner, { documentTypes: [type] });
const union = async (a: number, b: number): Promise<number> => (await calls.compose(owner, 'union', [a, b])).spaceId;

describe('spaces on a schedule', () => {
  it('a new space plans the look at the parameter of its group', async () => {
    expect(await plannedLooks()).toEqual([]);
    await create('A');
    await create('B');
    expect(await plannedLooks()).toEqual([{ after: 0, reason: null }]);
    expect(await look()).toBe(0);
  });

  it('each round refreshes every space once, changed or not', async () => {
    const [a, b] = [await create('A'), await create('B')];
    await place('A', 5, 6);
    await nextDay();
    await round();
    expect(await refreshed()).toEqual({ [a]: [2, 3], [b]: [2, 3] });
    expect(await look()).toBe(1);
    expect(await refreshed()).toEqual({ [a]: [2, 3], [b]: [2, 3] });
    expect(await plannedLooks()).toEqual([{ after: 0, reason: null }]);
  });

  it('24 hours end at midnight UTC', async () => {
    const [a, b] = [await create('A'), await create('B')];
    await refreshedAt(`${MIDNIGHT} - interval '1 ms'`, a);
    await refreshedAt(MIDNIGHT, b);
    await dueNow();
    await round();
    const versions = await sql(`select space_id as id, version from retrieval.space where group_id = $1 order by 1`);
    expect(versions).toEqual([
      { id: a, version: 2 },
      { id: b, version: 1 },
    ]);
  });

  it.each([['0'], [null]])('%s hours: nothing is refreshed', async (none) => {
    hours = none;
    await create('A');
    await nextDay();
    expect(await look()).toBe(1);
    expect(await refreshed()).toEqual({});
    expect(await plannedLooks()).toHaveLength(1);
  });

  it('composed spaces follow their operands within one round', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const both = await union(b, a);
    const all = await union(both, a);
    await place('A', 5, 9);
    await nextDay();
    await round();
    expect(await refreshed()).toEqual({ [a]: [2, 6], [b]: [2, 3], [both]: [2, 9], [all]: [2, 9] });
    for (const spaceId of [a, b, both, all]) expect((await calls.get(owner, spaceId)).space.isStale).toBe(false);
  });

  it('a composed space waits for an operand that a task gathers', async () => {
    const [b, a] = [await create('B'), await create('A')];
    const both = await union(a, b);
    await place('A', 5, 5 + MANY);
    await nextDay();
    await round();
    expect(await refreshed()).toEqual({ [b]: [2, 3] });
    expect(retrieval.notified).toContain('refresh-space');
    await retrieval.work(groupId, 'refresh-space');
    await round();
    expect(await refreshed()).toEqual({ [b]: [2, 3], [a]: [2, MANY + 2] });
    await retrieval.work(groupId, 'refresh-space');
    expect(await refreshed()).toEqual({ [b]: [2, 3], [a]: [2, MANY + 2], [both]: [2, MANY + 5] });
  });

  it('a query is never searched, a list and what lost an operand stay', async () => {
    const [queried, listed, gone, remaining] = [
      await create('A'),
      await create('A'),
      await create('A'),
      await create('B'),
    ];
    const orphan = await union(gone, remaining);
    await calls.delete(owner, gone);
    await sql(
      `update retrieval.space set criteria = '{"query": "riego"}' where group_id = $1 and space_id = $2`,
      queried,
    );
    await sql(
      `update retrieval.space set criteria = null, listed = '{}' where group_id = $1 and space_id = $2`,
      listed,
    );
    await nextDay();
    await round();
    expect(await refreshed()).toEqual({ [remaining]: [2, 3] });
    expect(orphan).toBeGreaterThan(remaining);
  });

  it('a space that cannot be gathered stops no other', async () => {
    const [broken, whole] = [await create('A'), await create('B')];
    await sql(
      `update retrieval.space set criteria = '{"changedSince": "never"}' where group_id = $1 and space_id = $2`,
      broken,
    );
    await nextDay();
    await round();
    expect(await refreshed()).toEqual({ [whole]: [2, 3] });
  });

  it('a space that always fails is reported, and costs the schedule no try', async () => {
    const broken = await create('A');
    await sql(
      `update retrieval.space set criteria = '{"changedSince": "never"}' where group_id = $1 and space_id = $2`,
      broken,
    );
    const before = retrieval.lines.length;
    for (let looks = 0; looks < 3; looks += 1) {
      await nextDay();
      expect(await look()).toBe(1);
    }
    const reports = retrieval.lines.slice(before).filter((line) => line.includes('stage failed'));
    expect(reports).toHaveLength(3);
    const tasks = await sql(`select stage, status, attempts, reason from retrieval.task where group_id = $1`);
    expect(tasks).toEqual([{ stage: 'schedule-spaces', status: 'WAITING', attempts: 0, reason: null }]);
  });

  it('a refresh that always fails in its task does not keep the others waiting', async () => {
    const [broken, whole] = [await create('A'), await create('B')];
    await place('A', 5, 5 + MANY);
    await nextDay();
    while ((await sql(`select from retrieval.task where group_id = $1 and stage = 'refresh-space'`)).length === 0)
      await round();
    await sql(`update retrieval.task set status = 'FAILED' where group_id = $1 and stage = 'refresh-space'`);
    await dueNow();
    await look();
    expect(await refreshed()).toEqual({ [whole]: [2, 3] });
    // The next look begins with it again.
    await round();
    await retrieval.work(groupId, 'refresh-space');
    expect(await refreshed()).toEqual({ [broken]: [2, MANY + 2], [whole]: [2, 3] });
  });

  it('one process looks at a group, and another one continues after its death', async () => {
    const a = await create('A');
    await nextDay();
    const [lease] = await retrieval.tasks.claim({ groupId }, 'schedule-spaces', 1, 60);
    expect([lease?.subjectId, await look()]).toEqual([groupId, 0]);
    await dueNow();
    expect(await look()).toBe(1);
    expect(await refreshed()).toEqual({ [a]: [2, 2] });
  });

  it('while auth is away the look waits', async () => {
    const a = await create('A');
    await nextDay();
    hours = undefined;
    await look();
    expect(await refreshed()).toEqual({});
    hours = '24';
    await dueNow();
    await look();
    expect(await refreshed()).toEqual({ [a]: [2, 2] });
  });

  it('a refresh by a user in the same round is enough', async () => {
    const a = await create('A');
    await nextDay();
    await leavingWithin(5_000, () => calls.refresh(owner, a));
    await look();
    expect(await refreshed()).toEqual({ [a]: [2, 2] });
  });

  it('without spaces a group is looked at no further, until it gets one', async () => {
    await calls.delete(owner, await create('A'));
    await dueNow();
    await look();
    expect(await plannedLooks()).toEqual([]);
    await create('A');
    expect(await plannedLooks()).toHaveLength(1);
  });
});
