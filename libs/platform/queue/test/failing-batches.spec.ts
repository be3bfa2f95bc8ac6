import { randomUUID } from 'node:crypto';
import { EngineDown } from '@acervo/contracts';
import { type Database, QUEUE_ROLE, QUEUE_SCHEMA, reconcilerRole } from '@acervo/platform-database';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { openTestDatabase, silent, type TestDatabase, until } from '@acervo/platform-testing';
import type { WorkScope } from '@acervo/rbac';
import { Client } from 'pg';
import {
  type WorkSignals,
  type Lease,
  migrateQueue,
  PostgresJobs,
  TaskReconciler,
  RunsStage,
  StageBackoff,
  StageRunner,
  stagesOf,
  Tasks,
  taskMigrations,
} from '../src';
import { openStageQueue, type StageQueue } from './stage-queue';

const STAGE = { name: 'step', batch: 4, leaseSeconds: 30, attempts: 2 };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a stage', () => {
  let server: TestDatabase;
  let database: Database;
  let tasks: Tasks;
  const closing: (() => Promise<void>)[] = [];

  /** Commits its tasks up to the poisoned one, which fails the batch. */
  class UntilPoison {
    readonly done: string[] = [];
    readonly givenUp: string[] = [];
    poison: string | undefined;

    @RunsStage(STAGE)
    async step(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
      const last = leases.filter(({ subjectId }) => subjectId === this.poison);
      for (const lease of [...leases.filter(({ subjectId }) => subjectId !== this.poison), ...last]) {
        if (lease.subjectId === this.poison) throw new TypeError('poison');
        await database.write(scope, (tx) => tasks.complete(tx, lease));
        this.done.push(lease.subjectId);
      }
    }

    exhausted(_scope: WorkScope, { subjectId }: Lease, reason: string): Promise<void> {
      this.givenUp.push(`${subjectId} ${reason}`);
      return Promise.resolve();
    }
  }

  const put = async (groupId: string, count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => randomUUID());
    await database.write({ groupId }, async (tx) => {
      for (const subjectId of ids) await tasks.enqueue(tx, { subjectId, stage: STAGE.name, generation: 1 });
    });
    return ids;
  };
  const statuses = async (groupId: string): Promise<string[]> =>
    (
      await database.read({ groupId }, (tx) =>
        tx.query<{ status: string }>('select status from ingestion.task order by status'),
      )
    ).map(({ status }) => status);
  const runner = (): StageRunner =>
    new StageRunner(
      'ingestion',
      tasks,
      database,
      new Telemetry(silent, new Metrics('test')),
      undefined,
      new StageBackoff(1),
    );
  const openQueue = async (): Promise<StageQueue> => {
    const jobs = (): PostgresJobs => new PostgresJobs(server.connection(QUEUE_ROLE));
    const made = await openStageQueue({ tasks, database, jobs, backoffMs: 1 });
    closing.push(() => made.close());
    return made;
  };
  const taskReconciler = (workSignals: WorkSignals, everyMs?: number): TaskReconciler => {
    const connection = server.connection(reconcilerRole('ingestion'));
    const made = new TaskReconciler('ingestion', connection, workSignals, silent, everyMs);
    closing.push(() => made.stop());
    return made;
  };

  beforeAll(async () => {
    server = await openTestDatabase({ ingestion: taskMigrations('ingestion') });
    database = server.database('ingestion');
    tasks = new Tasks('ingestion', database);
    await migrateQueue(server.connection(QUEUE_ROLE));
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  afterAll(() => server.close());

  it('a reconciler without its password stops a start and names the setting', async () => {
    const signals = {} as WorkSignals;
    const connection = server.connection(reconcilerRole('ingestion'));
    const open = (password: string): TaskReconciler => {
      const made = new TaskReconciler('ingestion', { ...connection, password }, signals, silent);
      closing.push(() => made.stop());
      return made;
    };
    await expect(open(connection.password).assertLogin()).resolves.toBeUndefined();
    for (const password of ['', 'wrong'])
      await expect(open(password).assertLogin()).rejects.toThrow(
        /ingestion_reconciler cannot log in; set ACERVO_DATABASE_RECONCILER_PASSWORD of ingestion/,
      );
  });

  it('a task waiting for an engine is never given up', async () => {
    const groupId = randomUUID();
    let fault: Error | undefined = new EngineDown('OpenSearch', 'killed');
    const givenUp: string[] = [];
    class Needy {
      @RunsStage(STAGE)
      async step(scope: WorkScope, [lease]: readonly Lease[]): Promise<void> {
        if (fault !== undefined) throw fault;
        if (lease !== undefined) await database.write(scope, (tx) => tasks.complete(tx, lease));
      }

      exhausted(_scope: WorkScope, { subjectId }: Lease): Promise<void> {
        givenUp.push(subjectId);
        return Promise.resolve();
      }
    }
    await put(groupId, 1);
    const [bound] = stagesOf([new Needy()]);
    if (bound === undefined) throw new Error('The stage was not found.');
    const turn = async (): Promise<void> => {
      while ((await runner().runBatch(bound, groupId)) === 0) await pause(5);
    };
    for (let tried = 0; tried < 3 * STAGE.attempts; tried += 1) await turn();
    expect([await statuses(groupId), givenUp]).toEqual([['WAITING'], []]);
    fault = new TypeError('a failure of its own');
    await turn();
    expect(await statuses(groupId)).toEqual(['WAITING']);
    fault = undefined;
    await turn();
    expect([await statuses(groupId), givenUp]).toEqual([['DONE'], []]);
  });

  it('only the uncommitted tasks of a failed batch are retried', async () => {
    const groupId = randomUUID();
    const worker = new UntilPoison();
    const ids = await put(groupId, 3);
    worker.poison = ids[1];
    const [bound] = stagesOf([worker]);
    if (bound === undefined) throw new Error('The stage was not found.');
    expect(await runner().runBatch(bound, groupId)).toBe(3);
    expect(await statuses(groupId)).toEqual(['DONE', 'DONE', 'WAITING']);
    worker.poison = undefined;
    await pause(20);
    expect(await runner().runBatch(bound, groupId)).toBe(1);
    expect(worker.done.toSorted()).toEqual(ids.toSorted());
    expect(worker.givenUp).toEqual([]);
  });

  it('a task that failed for good is given up, committed ones stay', async () => {
    const groupId = randomUUID();
    const worker = new UntilPoison();
    const ids = await put(groupId, 3);
    const [bound] = stagesOf([worker]);
    if (bound === undefined) throw new Error('The stage was not found.');
    // All three are on their last try.
    await database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.task set attempts = 1 where group_id = $1`, [groupId]),
    );
    worker.poison = ids[1];
    await runner().runBatch(bound, groupId);
    expect(worker.givenUp).toEqual([`${ids[1]} TypeError`]);
    expect(await statuses(groupId)).toEqual(['DONE', 'DONE', 'FAILED']);
  });

  it('a task that kills workers runs alone until its eighth death', async () => {
    const groupId = randomUUID();
    const worker = new UntilPoison();
    const [bound] = stagesOf([worker]);
    if (bound === undefined) throw new Error('The stage was not found.');
    const ids = await put(groupId, 4);
    const killer = ids[2];
    const expire = (): Promise<unknown> =>
      database.write({ groupId }, (tx) =>
        tx.query(`update ingestion.task set leased_until = now() - interval '1 second' where status = 'LEASED'`),
      );
    // The first worker dies while it leases the whole batch.
    expect(await tasks.claim({ groupId }, STAGE.name, 4, 30)).toHaveLength(4);
    let deaths = 1;
    for (let turn = 0; turn < 40; turn += 1) {
      await expire();
      const claimed = await tasks.claim({ groupId }, STAGE.name, 4, -1);
      expect(claimed.length).toBeLessThanOrEqual(1);
      const [lease] = claimed;
      if (lease === undefined || lease.deaths > 8) break;
      if (lease.subjectId === killer) deaths += 1;
      else await database.write({ groupId }, (tx) => tasks.complete(tx, lease));
    }
    expect(deaths).toBe(9);
    await runner().runBatch(bound, groupId);
    expect(worker.givenUp).toEqual([`${killer} WorkerDied`]);
    expect(await statuses(groupId)).toEqual(['DONE', 'DONE', 'DONE', 'FAILED']);
    expect(await runner().runBatch(bound, groupId)).toBe(0);
    const [row] = await database.read({ groupId }, (tx) =>
      tx.query(`select reason from ingestion.task where status = 'FAILED' and group_id = $1`, [groupId]),
    );
    expect(row).toEqual({ reason: 'WorkerDied' });
  });

  it('a task enqueued again starts with no deaths', async () => {
    const groupId = randomUUID();
    const [subjectId = ''] = await put(groupId, 1);
    await database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.task set status = 'FAILED', deaths = 9 where group_id = $1`, [groupId]),
    );
    await database.write({ groupId }, (tx) => tasks.enqueue(tx, { subjectId, stage: STAGE.name, generation: 1 }));
    expect(await tasks.claim({ groupId }, STAGE.name, 1, 30)).toEqual([expect.objectContaining({ deaths: 0 })]);
  });

  it('a task whose worker stored a result counts deaths from zero', async () => {
    const groupId = randomUUID();
    await put(groupId, 1);
    const die = async (): Promise<Lease & { readonly deaths: number }> => {
      const [lease] = await tasks.claim({ groupId }, STAGE.name, 1, -1);
      if (lease === undefined) throw new Error('There was no task.');
      return lease;
    };
    await die();
    const second = await die();
    await database.write({ groupId }, (tx) => tasks.advanced(tx, second));
    const [third, fourth] = [await die(), await die()];
    expect([second, third, fourth].map(({ deaths }) => deaths)).toEqual([1, 1, 2]);
    await database.write({ groupId }, (tx) => tasks.complete(tx, fourth));
  });

  it('a worker that lost its lease forgets no deaths', async () => {
    const groupId = randomUUID();
    await put(groupId, 1);
    const claim = (): Promise<readonly Lease[]> => tasks.claim({ groupId }, STAGE.name, 1, -1);
    await claim();
    const [lost] = await claim();
    await claim();
    if (lost === undefined) throw new Error('There was no task.');
    await database.write({ groupId }, (tx) => tasks.advanced(tx, lost));
    const last = await claim();
    expect(last).toEqual([expect.objectContaining({ deaths: 3 })]);
    await database.write({ groupId }, (tx) => tasks.completeAll(tx, last));
  });

  it('a stage has exactly one method', () => {
    expect(() => stagesOf([new UntilPoison(), new UntilPoison()])).toThrow('Stage step is worked by two methods.');
  });

  it('a lost signal is repeated after five seconds, not before', async () => {
    const groupId = randomUUID();
    const worker = new UntilPoison();
    const { workSignals, processor } = await openQueue();
    const ids = await put(groupId, 6);
    expect(await taskReconciler(workSignals).notifyWaiting()).toBe(0);
    await database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.task set updated_at = now() - interval '6 seconds'`),
    );
    processor.start(stagesOf([worker]), 1);
    taskReconciler(workSignals, 200).start();
    await until('all work is done', () => worker.done.length >= ids.length);
    expect(worker.done.toSorted()).toEqual(ids.toSorted());
  });

  it('an expired lease is signalled again', async () => {
    const groupId = randomUUID();
    await put(groupId, 1);
    await tasks.claim({ groupId }, STAGE.name, 1, -1);
    const { workSignals } = await openQueue();
    const notify = jest.spyOn(workSignals, 'notify').mockResolvedValue();
    await taskReconciler(workSignals).notifyWaiting(3_600);
    expect(notify.mock.calls).toContainEqual([groupId, STAGE.name]);
  });
});

describe('the migration of the job backend', () => {
  it('a repeated migration of the job backend changes nothing', async () => {
    const server = await openTestDatabase({});
    const columns = async (): Promise<unknown> => {
      const client = new Client(server.connection(QUEUE_ROLE));
      await client.connect();
      const { rows } = await client.query(
        'select table_name, column_name, data_type from information_schema.columns where table_schema = $1 order by 1, 2',
        [QUEUE_SCHEMA],
      );
      await client.end();
      return rows;
    };
    await migrateQueue(server.connection(QUEUE_ROLE));
    const made = await columns();
    await migrateQueue(server.connection(QUEUE_ROLE));
    expect(made).toContainEqual(expect.objectContaining({ table_name: expect.stringContaining('job') as string }));
    expect(await columns()).toEqual(made);
    await server.close();
  });
});
