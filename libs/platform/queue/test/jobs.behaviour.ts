import { randomBytes, randomUUID } from 'node:crypto';
import { type Database, QUEUE_ROLE, reconcilerRole } from '@acervo/platform-database';
import { inTraceOf, type Metrics, workContext } from '@acervo/platform-observability';
import { openTestDatabase, silent, type TestDatabase, until } from '@acervo/platform-testing';
import type { WorkScope } from '@acervo/rbac';
import {
  type WorkSignals,
  type JobBackend,
  type Lease,
  migrateQueue,
  TaskReconciler,
  RunsStage,
  type Stage,
  stagesOf,
  Tasks,
  taskMigrations,
  type WorkShare,
} from '../src';
import { openStageQueue, type StageQueue } from './stage-queue';

export const STAGE: Stage = { name: 'step', batch: 7, leaseSeconds: 30, attempts: 3 };
const LONG: Stage = { ...STAGE, name: 'long', capacity: 'long' };
const FETCH: Stage = { ...STAGE, name: 'fetch', capacity: 'egress' };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tasks in a real database, and work signals on the tested backend. */
export class World {
  readonly done = new Map<string, number>();
  /** The trace of each task run. */
  readonly traces = new Map<string, string | undefined>();
  readonly tasks: Tasks;
  readonly database: Database;
  private readonly queues = new Map<WorkSignals, StageQueue>();
  private readonly closing: (() => Promise<void>)[] = [];

  private constructor(
    readonly server: TestDatabase,
    private readonly open: (server: TestDatabase) => JobBackend,
  ) {
    this.database = server.database('ingestion');
    this.tasks = new Tasks('ingestion', this.database);
  }

  static async begin(open: (server: TestDatabase) => JobBackend): Promise<World> {
    const server = await openTestDatabase({ ingestion: taskMigrations('ingestion') });
    await migrateQueue(server.connection(QUEUE_ROLE));
    return new World(server, open);
  }

  async put(groupId: string, count: number, { name }: Stage = STAGE): Promise<string[]> {
    const ids = Array.from({ length: count }, () => randomUUID());
    await this.database.write({ groupId }, async (tx) => {
      for (const subjectId of ids) await this.tasks.enqueue(tx, { subjectId, stage: name, generation: 1 });
    });
    return ids;
  }

  async openSignals(): Promise<WorkSignals> {
    const { tasks, database } = this;
    const queue = await openStageQueue({ tasks, database, jobs: () => this.open(this.server) });
    queue.workSignals.bind([STAGE, LONG, FETCH]);
    this.queues.set(queue.workSignals, queue);
    this.closing.push(() => queue.close());
    return queue.workSignals;
  }

  queueOf(workSignals: WorkSignals): StageQueue {
    const queue = this.queues.get(workSignals);
    if (queue === undefined) throw new Error('These bells belong to no queue.');
    return queue;
  }

  taskReconciler(workSignals: WorkSignals, everyMs?: number): TaskReconciler {
    const connection = this.server.connection(reconcilerRole('ingestion'));
    const made = new TaskReconciler('ingestion', connection, workSignals, silent, everyMs);
    this.closing.unshift(() => made.stop());
    return made;
  }

  /** Starts a worker that counts runs per task; answers its metrics. */
  answer(
    workSignals: WorkSignals,
    works: (subjectId: string) => Promise<unknown> = () => Promise.resolve(),
    share: WorkShare = 'all',
  ): Metrics {
    const { done, traces, tasks, database } = this;
    const { processor, metrics } = this.queueOf(workSignals);
    class Worker {
      @RunsStage(STAGE)
      async step(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
        for (const lease of leases) {
          await works(lease.subjectId);
          await database.write(scope, (tx) => tasks.complete(tx, lease));
          inTraceOf(lease, () => traces.set(lease.subjectId, workContext.get()?.trace?.traceId));
          done.set(lease.subjectId, (done.get(lease.subjectId) ?? 0) + 1);
        }
      }
      @RunsStage(LONG)
      long(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
        return this.step(scope, leases);
      }
      @RunsStage(FETCH)
      fetch(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
        return this.step(scope, leases);
      }
      exhausted(): Promise<void> {
        return Promise.resolve();
      }
    }
    processor.start(stagesOf([new Worker()]), 1, share);
    return metrics;
  }

  /** The runs of each task, once all are done. */
  async timesDone(ids: readonly string[]): Promise<(number | undefined)[]> {
    await until('every task is done', () => ids.every((id) => this.done.has(id)));
    return ids.map((id) => this.done.get(id));
  }

  async rest(): Promise<void> {
    for (const close of this.closing.splice(0)) await close();
  }

  async end(): Promise<void> {
    await this.rest();
    await this.server.close();
  }
}

const once = (ids: readonly string[]): number[] => ids.map(() => 1);

/** The behaviour of every backend of the job library. */
export const behavesLikeJobs = (name: string, open: (server: TestDatabase) => JobBackend): void =>
  describe(`work signals on ${name}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await World.begin(open);
    });
    afterEach(() => world.rest());
    afterAll(() => world.end());

    it('two workers run each task once, despite lost and repeated signals', async () => {
      const groups = [randomUUID(), randomUUID(), randomUUID()] as const;
      const ids = (await Promise.all(groups.map((group) => world.put(group, 40)))).flat();
      const both = [await world.openSignals(), await world.openSignals()] as const;
      for (const workSignals of both) world.answer(workSignals);
      const [notified, twice] = groups;
      for (const group of [notified, twice, twice]) await both[0].notify(group, STAGE.name);
      // The signal of the third group was lost; the task reconciler finds what waits.
      expect(await world.taskReconciler(both[0]).notifyWaiting(0)).toBeGreaterThan(0);
      expect(await world.timesDone(ids)).toEqual(once(ids));
    });

    it('groups take turns, a batch each, whatever their backlog', async () => {
      const groups = [randomUUID(), randomUUID(), randomUUID()] as const;
      const owners = new Map<string, number>();
      for (const [owner, group] of groups.entries())
        for (const id of await world.put(group, 5 * STAGE.batch)) owners.set(id, owner);
      const workSignals = await world.openSignals();
      for (const group of groups) await workSignals.notify(group, STAGE.name);
      world.answer(workSignals);
      await world.timesDone([...owners.keys()]);
      const done = [...world.done.keys()].flatMap((id) => owners.get(id) ?? []);
      const turns = Array.from({ length: done.length / STAGE.batch }, (_, turn) => done[turn * STAGE.batch]);
      expect(turns.slice(0, 3)).toEqual([0, 1, 2]);
      // Signals for the remaining tasks arrive during the next batch: a group may be one batch late, never two.
      for (let end = 3; end <= 12; end += 1) {
        const counts = groups.map((_group, owner) => turns.slice(0, end).filter((turn) => turn === owner).length);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
      }
    });

    it('a group alone works all its batches with one job', async () => {
      const groupId = randomUUID();
      const ids = await world.put(groupId, 6 * STAGE.batch);
      const workSignals = await world.openSignals();
      const add = jest.spyOn(world.queueOf(workSignals).queue, 'add');
      await workSignals.notify(groupId, STAGE.name);
      world.answer(workSignals);
      expect(await world.timesDone(ids)).toEqual(once(ids));
      await until('no signal is pending', async () => !(await workSignals.isPending(groupId, STAGE.name)));
      expect(add).toHaveBeenCalledTimes(1);
    });

    it('a short batch runs while long batches fill their slots', async () => {
      const [busy, waiting, other] = [randomUUID(), randomUUID(), randomUUID()];
      const long = [...(await world.put(busy, 1, LONG)), ...(await world.put(waiting, 1, LONG))];
      const short = await world.put(other, 1);
      let release = (): void => undefined;
      const slow = new Promise<void>((resolve) => {
        release = resolve;
      });
      const workSignals = await world.openSignals();
      for (const groupId of [busy, waiting]) await workSignals.notify(groupId, LONG.name);
      world.answer(workSignals, (id) => (long.includes(id) ? slow : Promise.resolve()));
      await workSignals.notify(other, STAGE.name);
      expect(await world.timesDone(short)).toEqual([1]);
      // The short batch may be over before the first long one has taken its slot.
      await until('a long batch runs', async () => !(await workSignals.othersWait(waiting, LONG.name)));
      expect(await workSignals.othersWait(busy, LONG.name)).toBe(true);
      release();
      expect(await world.timesDone(long)).toEqual([1, 1]);
    });

    it.each<[WorkShare, WorkShare]>([
      ['internal', 'egress'],
      ['egress', 'internal'],
    ])('a process that works %s stages leaves the others to %s ones', async (share, rest) => {
      const groupId = randomUUID();
      const [internal, fetched] = [await world.put(groupId, 2), await world.put(groupId, 2, FETCH)];
      const [first, second] = share === 'internal' ? [internal, fetched] : [fetched, internal];
      const signals = await world.openSignals();
      world.answer(signals, undefined, share);
      for (const { name } of [STAGE, FETCH]) await signals.notify(groupId, name);
      expect(await world.timesDone(first)).toEqual(once(first));
      expect(second.map((id) => world.done.get(id))).toEqual(second.map(() => undefined));
      world.answer(await world.openSignals(), undefined, rest);
      expect(await world.timesDone(second)).toEqual(once(second));
    });

    it('repeated signals are one job until the work is over', async () => {
      const groupId = randomUUID();
      const workSignals = await world.openSignals();
      expect(await workSignals.isPending(groupId, STAGE.name)).toBe(false);
      for (let turn = 0; turn < 5; turn += 1) await workSignals.notify(groupId, STAGE.name);
      expect(await workSignals.isPending(groupId, STAGE.name)).toBe(true);
      expect(await world.queueOf(workSignals).queue.getWaitingCount()).toBe(1);
      world.answer(workSignals);
      await until('the signal is taken', async () => !(await workSignals.isPending(groupId, STAGE.name)));
      expect(await workSignals.isPending(groupId, STAGE.name)).toBe(false);
    });

    it('a worker that starts later receives earlier signals', async () => {
      const groupId = randomUUID();
      const ids = await world.put(groupId, 3);
      await (await world.openSignals()).notify(groupId, STAGE.name);
      world.answer(await world.openSignals());
      expect(await world.timesDone(ids)).toEqual(once(ids));
    });

    it('a task runs in its own trace, else that of its signal', async () => {
      const groupId = randomUUID();
      const workSignals = await world.openSignals();
      const [asked, notified] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
      const within = <T>(trace: string, work: () => Promise<T>): Promise<T> =>
        inTraceOf({ trace: `00-${trace}-${'1'.repeat(16)}-01` }, work);
      const named = await within(asked, () => world.put(groupId, 2));
      const others = await world.put(groupId, 2);
      await within(notified, () => workSignals.notify(groupId, STAGE.name));
      const metrics = world.answer(workSignals);
      await world.timesDone([...named, ...others]);
      expect([...named, ...others].map((id) => world.traces.get(id))).toEqual([asked, asked, notified, notified]);
      const text = await metrics.registry.metrics();
      expect(text).toMatch(/^acervo_work_total\{.*stage="step".*\} 4$/m);
      expect(text).toMatch(/^acervo_stage_seconds_count\{.*stage="step".*\} [1-9]$/m);
    });

    it('work that arrives during a batch is signalled again', async () => {
      const groupId = randomUUID();
      const workSignals = await world.openSignals();
      const ids = await world.put(groupId, 2);
      world.answer(workSignals, () => pause(30));
      await workSignals.notify(groupId, STAGE.name);
      for (let turn = 0; turn < 5; turn += 1) {
        ids.push(...(await world.put(groupId, 2)));
        await workSignals.notify(groupId, STAGE.name);
      }
      expect(await world.timesDone(ids)).toEqual(once(ids));
    });
  });
