import { randomUUID } from 'node:crypto';
import type { Database, TenantScope } from '@acervo/platform-database';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { type Lease, LeaseKeeper, LeaseLost, type NewTask, Tasks, taskMigrations, WorkStore } from '../src';

const STAGE = 'step';

describe('a piece of work', () => {
  let server: TestDatabase;
  let database: Database;
  let tasks: Tasks;
  let group: TenantScope;

  const put = async (more: Partial<NewTask> = {}): Promise<string> => {
    const task: NewTask = { subjectId: randomUUID(), stage: STAGE, generation: 1, ...more };
    await database.write(group, (tx) => tasks.enqueue(tx, task));
    return task.subjectId;
  };
  const take = async (seconds = 30): Promise<Lease> => {
    const [lease] = await tasks.claim(group, STAGE, 1, seconds);
    if (lease === undefined) throw new Error('There is no work to take.');
    return lease;
  };
  /** Lets time pass for the leases. */
  const age = (seconds: number): Promise<unknown> =>
    database.write(group, (tx) =>
      tx.query(
        `update ingestion.task set leased_until = leased_until - make_interval(secs => $2) where group_id = $1`,
        [group.groupId, seconds],
      ),
    );
  const complete = (lease: Lease): Promise<void> => database.write(group, (tx) => tasks.complete(tx, lease));
  const row = async (subjectId: string): Promise<Record<string, unknown> | undefined> =>
    (
      await database.read(group, (tx) =>
        tx.query('select status, attempts, reason, payload from ingestion.task where subject_id = $1', [subjectId]),
      )
    )[0];

  beforeAll(async () => {
    server = await openTestDatabase({ ingestion: taskMigrations('ingestion') });
    database = server.database('ingestion');
    tasks = new Tasks('ingestion', database);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    group = { groupId: randomUUID() };
  });
  afterEach(() => jest.restoreAllMocks());

  it('a task precedes younger ones of its priority, not higher ones', async () => {
    const first = await put();
    const second = await put();
    const urgent = await put({ priority: 1 });
    const order = [await take(), await take(), await take()].map(({ subjectId }) => subjectId);
    expect(order).toEqual([urgent, first, second]);
  });

  it('a claim never exceeds its limit, whatever the order of rows', async () => {
    for (const limit of [1, 3, 7]) {
      group = { groupId: randomUUID() };
      for (let priority = 0; priority < 20; priority += 1) await put({ priority });
      const claimed: number[] = [];
      for (let left = 20; left > 0; left -= limit) claimed.push((await tasks.claim(group, STAGE, limit, 30)).length);
      expect(claimed).toEqual(claimed.map((_, turn) => Math.min(limit, 20 - turn * limit)));
    }
  });

  it('a lease expires by the database clock, not by the worker clock', async () => {
    const subject = await put();
    await take();
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 3_600_000);
    expect(await tasks.claim(group, STAGE, 1, 30)).toEqual([]);
    jest.spyOn(Date, 'now').mockReturnValue(now - 3_600_000);
    await age(31);
    expect(await take()).toMatchObject({ subjectId: subject, attempts: 2 });
  });

  it('a renewed lease stays with its worker, a lost one does not', async () => {
    await put();
    const lease = await take();
    await age(20);
    expect(await tasks.renew([lease], 30)).toEqual([lease]);
    await age(20);
    expect(await tasks.claim(group, STAGE, 1, 30)).toEqual([]);
    await complete(lease);
    expect(await tasks.renew([lease], 30)).toEqual([]);
  });

  it('a batch renews its remaining leases after a third of the time', async () => {
    await put();
    await put();
    const leases = await tasks.claim(group, STAGE, 2, 30);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const keeper = new LeaseKeeper(tasks, leases, 30);
    const beat = jest.spyOn(tasks, 'renew');
    const [first, second] = leases;
    if (first === undefined || second === undefined) throw new Error('There is less work than was put.');
    clock.mockReturnValue(9_999);
    await keeper.keep(first);
    expect(beat).not.toHaveBeenCalled();
    await complete(first);
    clock.mockReturnValue(10_000);
    await age(20);
    await keeper.keep(second);
    expect(beat.mock.calls.map(([renewed]) => renewed)).toEqual([[second]]);
    await age(20);
    await complete(second);
  });

  it('a completed task ignores a second completion and a late failure', async () => {
    const subject = await put();
    const lease = await take();
    await complete(lease);
    await expect(complete(lease)).rejects.toThrow(LeaseLost);
    const late = database.write(group, (tx) => tasks.fail(tx, lease, { reason: 'Late', retryInMs: 1 }));
    await expect(late).rejects.toThrow(LeaseLost);
    expect(await row(subject)).toMatchObject({ status: 'DONE', reason: null });
  });

  it('only the lease owner completes and deletes a task', async () => {
    const subject = await put();
    const lease = await take();
    const completeAndDelete = (): Promise<void> => database.write(group, (tx) => tasks.completeAndDelete(tx, lease));
    await completeAndDelete();
    expect(await row(subject)).toBeUndefined();
    await expect(completeAndDelete()).rejects.toThrow(LeaseLost);
  });

  it('a leased task enqueued again is unchanged; a finished one waits again', async () => {
    const subjectId = await put({ payload: { turn: 1 } });
    const lease = await take();
    await put({ subjectId, payload: { turn: 2 } });
    expect(await row(subjectId)).toMatchObject({ status: 'LEASED', payload: { turn: 1 } });
    await database.write(group, (tx) => tasks.fail(tx, lease, { reason: 'Broken', retryInMs: null }));
    expect(await row(subjectId)).toMatchObject({ status: 'FAILED', reason: 'Broken' });
    await put({ subjectId, payload: { turn: 3 } });
    expect(await row(subjectId)).toMatchObject({ status: 'WAITING', attempts: 0, reason: null, payload: { turn: 3 } });
  });

  it('a withdrawn subject loses its leases in every generation, others stay', async () => {
    const subjectId = await put({ priority: 1 });
    await put({ subjectId, generation: 2 });
    await put();
    const lease = await take();
    await database.write(group, (tx) => tasks.withdraw(tx, subjectId));
    await expect(complete(lease)).rejects.toThrow(LeaseLost);
    expect(await row(subjectId)).toBeUndefined();
    expect(await database.read(group, (tx) => new WorkStore('ingestion', database).countOpen(tx))).toBe(1);
  });

  it('a task is invisible to another group', async () => {
    await put();
    const stranger = { groupId: randomUUID() };
    expect(await tasks.claim(stranger, STAGE, 5, 30)).toEqual([]);
    expect([await tasks.hasWaiting(stranger, STAGE), await tasks.hasWaiting(group, STAGE)]).toEqual([false, true]);
  });
});
