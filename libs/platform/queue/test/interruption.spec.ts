import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { type Database, QUEUE_ROLE } from '@acervo/platform-database';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { openTestDatabase, silent, type TestDatabase, until } from '@acervo/platform-testing';
import type { WorkScope } from '@acervo/rbac';
import {
  type Lease,
  migrateQueue,
  PostgresJobs,
  RunsStage,
  StageRunner,
  stagesOf,
  taskMigrations,
  Tasks,
  unlessInterrupted,
  WorkInterrupted,
} from '../src';
import { openStageQueue, type StageQueue } from './stage-queue';

const STAGE = { name: 'step', batch: 4, leaseSeconds: 30, attempts: 2 };
const ROLLOUTS = 10;
/** More than Node lets listen to one signal without a warning. */
const MANY_BATCHES = 12;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('interrupted work', () => {
  let server: TestDatabase;
  let database: Database;
  let tasks: Tasks;
  let groupId: string;

  /** Works for as long as it is not interrupted, or until it is allowed to end. */
  class Long {
    readonly begun: Lease[] = [];
    readonly committed: string[] = [];
    readonly refused: string[] = [];
    readonly signals: AbortSignal[] = [];
    mayEnd = false;
    heeds = true;

    @RunsStage(STAGE)
    async step(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
      this.begun.push(...leases);
      this.signals.push(stopping);
      while (!this.mayEnd) {
        if (this.heeds && stopping.aborted) throw new WorkInterrupted();
        await pause(5);
      }
      for (const lease of leases)
        await database
          .write(scope, (tx) => tasks.complete(tx, lease))
          .then(
            () => this.committed.push(lease.subjectId),
            (error: Error) => this.refused.push(error.name),
          );
    }
  }

  const put = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => randomUUID());
    await database.write({ groupId }, async (tx) => {
      for (const subjectId of ids) await tasks.enqueue(tx, { subjectId, stage: STAGE.name, generation: 1 });
    });
    return ids;
  };
  const rows = (): Promise<object[]> =>
    database.read({ groupId }, (tx) => tx.query('select status, attempts, deaths, lease from ingestion.task'));
  const open = async (worker: object): Promise<StageQueue> => {
    const queue = await openStageQueue({
      ...{ tasks, database, backoffMs: 1 },
      jobs: () => new PostgresJobs(server.connection(QUEUE_ROLE)),
    });
    queue.processor.start(stagesOf([worker]), 2);
    await queue.workSignals.notify(groupId, STAGE.name);
    return queue;
  };

  beforeAll(async () => {
    server = await openTestDatabase({ ingestion: taskMigrations('ingestion') });
    database = server.database('ingestion');
    tasks = new Tasks('ingestion', database);
    await migrateQueue(server.connection(QUEUE_ROLE));
  });
  beforeEach(() => {
    groupId = randomUUID();
  });
  afterAll(() => server.close());

  it('ten interruptions count neither tries nor deaths; the work ends once', async () => {
    const ids = await put(3);
    for (let turn = 0; turn < ROLLOUTS; turn += 1) {
      const worker = new Long();
      const queue = await open(worker);
      await until('the work begins', () => worker.begun.length > 0);
      await queue.close();
      expect(await rows()).toEqual(Array(3).fill({ status: 'WAITING', attempts: 0, deaths: 0, lease: null }));
    }
    const last = new Long();
    last.mayEnd = true;
    const queue = await open(last);
    await until('the work is committed', () => last.committed.length === ids.length);
    await queue.close();
    expect(last.committed.toSorted()).toEqual(ids.toSorted());
    expect(await rows()).toEqual(Array(3).fill({ status: 'DONE', attempts: 1, deaths: 0, lease: null }));
  });

  it('work that ignores the signal loses its leases and cannot commit', async () => {
    await put(2);
    const worker = new Long();
    worker.heeds = false;
    const queue = await open(worker);
    await until('the work begins', () => worker.begun.length > 0);
    // The work may not end before the queue is closed.
    await queue.close();
    expect([worker.committed, worker.refused]).toEqual([[], []]);
    expect(await rows()).toEqual(Array(2).fill({ status: 'WAITING', attempts: 0, deaths: 0, lease: null }));
    worker.mayEnd = true;
    await until('the commits are refused', () => worker.refused.length === 2);
    expect([worker.committed, worker.refused]).toEqual([[], ['LeaseLost', 'LeaseLost']]);
    expect(await queue.metrics.registry.metrics()).toContain(
      'work_total{stage="step",outcome="interrupted",service="test"} 2',
    );
  });

  it('work that ends within seconds is finished', async () => {
    const ids = await put(2);
    const worker = new Long();
    worker.heeds = false;
    const queue = await open(worker);
    await until('the work begins', () => worker.begun.length > 0);
    const closed = queue.close();
    worker.mayEnd = true;
    await closed;
    expect(worker.committed.toSorted()).toEqual(ids.toSorted());
  });

  it('many batches at a time listen to a signal each, and all are interrupted', async () => {
    await put(MANY_BATCHES * STAGE.batch);
    const worker = new Long();
    const [bound] = stagesOf([worker]);
    if (bound === undefined) throw new Error('There is no stage.');
    const runner = new StageRunner('ingestion', tasks, database, new Telemetry(silent, new Metrics('test')));
    const batches = Array.from({ length: MANY_BATCHES }, () => runner.runBatch(bound, groupId));
    await until('all work begins', () => worker.begun.length === MANY_BATCHES * STAGE.batch);
    expect(worker.signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual(
      Array(MANY_BATCHES).fill(1),
    );
    runner.interrupt();
    await Promise.all(batches);
    expect(await rows()).toEqual(
      Array(MANY_BATCHES * STAGE.batch).fill({ status: 'WAITING', attempts: 0, deaths: 0, lease: null }),
    );
  });

  it('an error of abandoned work is dropped', async () => {
    const stopping = new AbortController();
    let fail = (_late: Error): void => undefined;
    const work = new Promise<never>((_resolve, reject) => (fail = reject));
    stopping.abort();
    await expect(unlessInterrupted(work, stopping.signal, 10)).rejects.toThrow(WorkInterrupted);
    // An unhandled rejection would fail the test.
    fail(new Error('late'));
    await pause(1);
    await expect(unlessInterrupted(Promise.resolve(1), new AbortController().signal)).resolves.toBe(1);
  });
});
