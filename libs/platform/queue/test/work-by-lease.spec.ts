import { randomUUID } from 'node:crypto';
import { type Database, openPool, QUEUE_ROLE, reconcilerRole } from '@acervo/platform-database';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { openTestDatabase, silent, type TestDatabase } from '@acervo/platform-testing';
import type { WorkScope } from '@acervo/rbac';
import {
  type Lease,
  LeaseLost,
  migrateQueue,
  RunsStage,
  StageBackoff,
  StageRunner,
  stagesOf,
  Tasks,
  taskMigrations,
} from '../src';
import { readWaitingWork } from '../src/waiting-work';

const STAGE = { name: 'step', batch: 7, leaseSeconds: 30, attempts: 3 };

describe('work by lease', () => {
  let server: TestDatabase;
  let database: Database;
  let tasks: Tasks;
  const newGroup = (): { groupId: string } => ({ groupId: randomUUID() });

  const put = async (group: { groupId: string }, count: number, priority = 0): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => randomUUID());
    await database.write(group, async (tx) => {
      for (const subjectId of ids) await tasks.enqueue(tx, { subjectId, stage: STAGE.name, generation: 1, priority });
    });
    return ids;
  };
  const states = async (group: { groupId: string }): Promise<Record<string, number>> => {
    const rows = await database.read(group, (tx) =>
      tx.query<{ status: string; n: number }>(`select status, count(*)::int as n from ingestion.task group by 1`),
    );
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  };
  const expire = (group: { groupId: string }): Promise<unknown> =>
    database.write(group, (tx) =>
      tx.query(`update ingestion.task set leased_until = now() - interval '1 second' where status = 'LEASED'`),
    );

  beforeAll(async () => {
    server = await openTestDatabase({ ingestion: taskMigrations('ingestion') });
    database = server.database('ingestion');
    tasks = new Tasks('ingestion', database);
    await migrateQueue(server.connection(QUEUE_ROLE));
    await migrateQueue(server.connection(QUEUE_ROLE));
  });
  afterAll(() => server.close());

  it('waiting work of all groups is counted by stage, its share by group, leased work left out', async () => {
    const pool = openPool({ ...server.connection(reconcilerRole('ingestion')), max: 1 });
    const [busy, quiet] = [newGroup(), newGroup()];
    await put(busy, 4);
    await put(quiet, 1);
    await tasks.claim(busy, STAGE.name, 1, 30);
    const { stages, groups } = await readWaitingWork('ingestion', pool);
    await pool.end();
    expect(stages).toEqual([{ stage: STAGE.name, count: 4, seconds: expect.any(Number) as number }]);
    expect(groups.busiestShare).toBe(0.75);
    expect(groups.oldest).toBeGreaterThanOrEqual(groups.median);
    for (const group of [busy, quiet]) await tasks.claim(group, STAGE.name, 10, 30);
  });

  it('each task is leased to one worker, by priority, then by age', async () => {
    const group = newGroup();
    const later = await put(group, 2);
    const [urgent] = await put(group, 1, 5);
    const first = await tasks.claim(group, STAGE.name, 2, 30);
    const second = await tasks.claim(group, STAGE.name, 5, 30);
    expect(first.map(({ subjectId }) => subjectId)).toContain(urgent);
    expect([...first, ...second].map(({ subjectId }) => subjectId).toSorted()).toEqual([...later, urgent].toSorted());
    expect(await tasks.claim(group, STAGE.name, 5, 30)).toEqual([]);
  });

  it('released tasks wait again untried; a lost lease stays lost', async () => {
    const group = newGroup();
    await put(group, 3);
    const [lost, ...open] = await tasks.claim(group, STAGE.name, 3, 30);
    if (lost === undefined) throw new Error('No task was claimed.');
    await database.write(group, (tx) => tasks.complete(tx, lost));
    await tasks.release(group, [lost, ...open]);
    expect(await states(group)).toEqual({ DONE: 1, WAITING: 2 });
    const again = await tasks.claim(group, STAGE.name, 3, 30);
    expect(again.map(({ attempts, deaths }) => [attempts, deaths])).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it('the same task enqueued twice is one task', async () => {
    const group = newGroup();
    const subjectId = randomUUID();
    for (let turn = 0; turn < 2; turn += 1)
      await database.write(group, (tx) => tasks.enqueue(tx, { subjectId, stage: STAGE.name, generation: 1 }));
    expect(await states(group)).toEqual({ WAITING: 1 });
  });

  it('an expired lease moves the task, and refuses the late result', async () => {
    const group = newGroup();
    await put(group, 1);
    const [late] = await tasks.claim(group, STAGE.name, 1, 30);
    await expire(group);
    const [claimed] = await tasks.claim(group, STAGE.name, 1, 30);
    expect(claimed?.attempts).toBe(2);
    const other = randomUUID();
    const finish = (lease: Lease | undefined): Promise<void> =>
      database.write(group, async (tx) => {
        await tasks.enqueue(tx, { subjectId: other, stage: 'next', generation: 1 });
        await tasks.complete(tx, lease as Lease);
      });
    await expect(finish(late)).rejects.toThrow(LeaseLost);
    expect(await states(group)).toEqual({ LEASED: 1 });
    await finish(claimed);
    expect(await states(group)).toEqual({ DONE: 1, WAITING: 1 });
  });

  it('the tasks of a batch end together; a lost one refuses the whole batch', async () => {
    const group = newGroup();
    await put(group, 3);
    const leases = await tasks.claim(group, STAGE.name, 3, 30);
    const [lost, ...mine] = leases;
    await database.write(group, (tx) => tasks.complete(tx, lost as Lease));
    const finish = (ended: readonly Lease[]): Promise<void> =>
      database.write(group, async (tx) => {
        await tasks.enqueueAll(
          tx,
          ended.map(({ subjectId, generation }) => ({
            subjectId,
            generation,
            stage: 'next',
            priority: 3,
            trace: null,
          })),
        );
        await tasks.completeAll(tx, ended);
      });
    await expect(finish(leases)).rejects.toThrow(LeaseLost);
    expect(await states(group)).toEqual({ DONE: 1, LEASED: 2 });
    expect(await database.read(group, (tx) => tasks.owned(tx, leases))).toEqual(mine);
    await finish(mine);
    expect(await states(group)).toEqual({ DONE: 3, WAITING: 2 });
    const [next] = await tasks.claim(group, 'next', 1, 30);
    expect(next).toMatchObject({ generation: 1, priority: 3, attempts: 1, payload: {} });
  });

  it('the leases of a batch are renewed in one statement, lost ones left out', async () => {
    const group = newGroup();
    await put(group, 3);
    const leases = await tasks.claim(group, STAGE.name, 3, 1);
    const [lost, ...mine] = leases;
    await database.write(group, (tx) => tasks.complete(tx, lost as Lease));
    expect(await tasks.renew(leases, 3_600)).toEqual(mine);
    const [row] = await database.read(group, (tx) =>
      tx.query<{ n: number }>(
        `select count(*)::int as n from ingestion.task where leased_until > now() + interval '50 minutes'`,
      ),
    );
    expect(row).toEqual({ n: 2 });
  });

  it('a failed task is retried after its wait, not before', async () => {
    const group = newGroup();
    await put(group, 1);
    const [lease] = await tasks.claim(group, STAGE.name, 1, 30);
    await database.write(group, (tx) => tasks.fail(tx, lease as Lease, { reason: 'Busy', retryInMs: 60_000 }));
    expect(await tasks.claim(group, STAGE.name, 1, 30)).toEqual([]);
    await database.write(group, (tx) => tx.query(`update ingestion.task set not_before = now()`));
    expect(await tasks.claim(group, STAGE.name, 1, 30)).toHaveLength(1);
  });

  it('a task is given up once, after its last try', async () => {
    const group = newGroup();
    const heard: string[] = [];
    class Failing {
      @RunsStage(STAGE)
      step(): Promise<void> {
        return Promise.reject(new Error('no'));
      }
      exhausted(_scope: WorkScope, { subjectId }: Lease): Promise<void> {
        heard.push(subjectId);
        return Promise.resolve();
      }
    }
    const ids = await put(group, 2);
    const runner = new StageRunner(
      'ingestion',
      tasks,
      database,
      new Telemetry(silent, new Metrics('test')),
      undefined,
      new StageBackoff(1),
    );
    const [bound] = stagesOf([new Failing()]);
    if (bound === undefined) throw new Error('The stage was not found.');
    for (let turn = 0; turn < 6; turn += 1) {
      await runner.runBatch(bound, group.groupId);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(heard.toSorted()).toEqual(ids.toSorted());
    expect(await states(group)).toEqual({ FAILED: 2 });
  });
});
