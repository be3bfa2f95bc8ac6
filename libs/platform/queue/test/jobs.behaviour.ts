import { randomBytes, randomUUID } from 'node:crypto';
import { type Database, QUEUE_ROLE, reconcilerRole } from '@acervo/platform-database';
import { inTraceOf, Metrics, workContext } from '@acervo/platform-observability';
import { openTestDatabase, silent, type TestDatabase } from '@acervo/platform-testing';
import type { WorkScope } from '@acervo/rbac';
import {
  Doorbells,
  type JobBackend,
  type Lease,
  migrateQueue,
  Ringer,
  RunsStage,
  StageRunner,
  stagesOf,
  Tasks,
  taskMigrations,
} from '../src';

export const STAGE = { name: 'step', batch: 7, leaseSeconds: 30, attempts: 3 };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Work in a real database, and bells that hang on the backend under test. */
export class World {
  readonly done = new Map<string, number>();
  /** The trace that each piece was worked in. */
  readonly traces = new Map<string, string | undefined>();
  readonly tasks: Tasks;
  readonly database: Database;
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

  async put(groupId: string, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => randomUUID());
    await this.database.write({ groupId }, async (tx) => {
      for (const subjectId of ids) await this.tasks.enqueue(tx, { subjectId, stage: STAGE.name, generation: 1 });
    });
    return ids;
  }

  bells(): Doorbells {
    const made = new Doorbells({ service: 'ingestion', jobs: this.open(this.server), logger: silent });
    this.closing.push(() => made.close());
    return made;
  }

  ringer(doorbells: Doorbells, everyMs?: number): Ringer {
    const connection = this.server.connection(reconcilerRole('ingestion'));
    const made = new Ringer({
      service: 'ingestion',
      connection,
      doorbells,
      logger: silent,
      ...(everyMs ? { everyMs } : {}),
    });
    this.closing.unshift(() => made.stop());
    return made;
  }

  /** Has the bells answered by a worker that counts what it did, piece by piece; answers its figures. */
  answer(doorbells: Doorbells, works: (subjectId: string) => Promise<unknown> = () => Promise.resolve()): Metrics {
    const { done, traces, tasks, database } = this;
    const metrics = new Metrics('test');
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
      exhausted(): Promise<void> {
        return Promise.resolve();
      }
    }
    const parts = { service: 'ingestion', tasks, database, logger: silent, metrics } as const;
    doorbells.answer(stagesOf([new Worker()]), new StageRunner(parts), tasks, 1);
    return metrics;
  }

  /** How often each piece was done, once all are or the time is over. */
  async timesDone(ids: readonly string[], ms = 30_000): Promise<(number | undefined)[]> {
    for (const end = Date.now() + ms; ids.some((id) => !this.done.has(id)) && Date.now() < end;) await pause(50);
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

/** What every backend of the job library does for us. */
export const behavesLikeJobs = (name: string, open: (server: TestDatabase) => JobBackend): void =>
  describe(`bells on ${name}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await World.begin(open);
    }, 60_000);
    afterEach(() => world.rest());
    afterAll(() => world.end());

    it('have work done exactly once by two workers, over several groups, though some are lost and some ring twice', async () => {
      const groups = [randomUUID(), randomUUID(), randomUUID()] as const;
      const ids = (await Promise.all(groups.map((group) => world.put(group, 40)))).flat();
      const both = [world.bells(), world.bells()] as const;
      for (const doorbells of both) world.answer(doorbells);
      const [rung, twice] = groups;
      for (const group of [rung, twice, twice]) await both[0].ring(group, STAGE.name);
      // The bell of the third group was lost; the ringer finds what waits.
      expect(await world.ringer(both[0]).ringWaiting(0)).toBeGreaterThan(0);
      expect(await world.timesDone(ids)).toEqual(once(ids));
    }, 60_000);

    it('have groups take turns, a batch each, though the first has as much to do as the others', async () => {
      const groups = [randomUUID(), randomUUID(), randomUUID()] as const;
      const owners = new Map<string, number>();
      for (const [owner, group] of groups.entries())
        for (const id of await world.put(group, 5 * STAGE.batch)) owners.set(id, owner);
      const doorbells = world.bells();
      for (const group of groups) await doorbells.ring(group, STAGE.name);
      world.answer(doorbells);
      await world.timesDone([...owners.keys()]);
      const done = [...world.done.keys()].flatMap((id) => owners.get(id) ?? []);
      const turns = Array.from({ length: done.length / STAGE.batch }, (_, turn) => done[turn * STAGE.batch]);
      expect(turns.slice(0, 3)).toEqual([0, 1, 2]);
      // The rings for what is left come beside the next batch: a group may be one turn late, never two.
      for (let end = 3; end <= 12; end += 1) {
        const counts = groups.map((_group, owner) => turns.slice(0, end).filter((turn) => turn === owner).length);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
      }
    }, 60_000);

    it('ring until the work is over, as one job however often they ring', async () => {
      const groupId = randomUUID();
      const doorbells = world.bells();
      expect(await doorbells.isRinging(groupId, STAGE.name)).toBe(false);
      for (let turn = 0; turn < 5; turn += 1) await doorbells.ring(groupId, STAGE.name);
      expect(await doorbells.isRinging(groupId, STAGE.name)).toBe(true);
      const jobs = open(world.server);
      const queue = jobs.openQueue('ingestion');
      expect(await queue.getWaitingCount()).toBe(1);
      await queue.close();
      await jobs.close();
      world.answer(doorbells);
      for (const end = Date.now() + 15_000; Date.now() < end && (await doorbells.isRinging(groupId, STAGE.name));)
        await pause(50);
      expect(await doorbells.isRinging(groupId, STAGE.name)).toBe(false);
    }, 30_000);

    it('are heard by a worker that comes later', async () => {
      const groupId = randomUUID();
      const ids = await world.put(groupId, 3);
      await world.bells().ring(groupId, STAGE.name);
      world.answer(world.bells());
      expect(await world.timesDone(ids)).toEqual(once(ids));
    }, 60_000);

    it('tell in which trace work stands: its own, or that of whoever rang where it names none', async () => {
      const groupId = randomUUID();
      const doorbells = world.bells();
      const [asked, rang] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
      const within = <T>(trace: string, work: () => Promise<T>): Promise<T> =>
        inTraceOf({ trace: `00-${trace}-${'1'.repeat(16)}-01` }, work);
      const named = await within(asked, () => world.put(groupId, 2));
      const others = await world.put(groupId, 2);
      await within(rang, () => doorbells.ring(groupId, STAGE.name));
      const metrics = world.answer(doorbells);
      await world.timesDone([...named, ...others]);
      expect([...named, ...others].map((id) => world.traces.get(id))).toEqual([asked, asked, rang, rang]);
      const text = await metrics.registry.metrics();
      expect(text).toMatch(/^acervo_work_total\{.*stage="step".*\} 4$/m);
      expect(text).toMatch(/^acervo_stage_seconds_count\{.*stage="step".*\} [1-9]$/m);
    }, 60_000);

    it('are heard again for work that came while the worker was busy', async () => {
      const groupId = randomUUID();
      const doorbells = world.bells();
      const ids = await world.put(groupId, 2);
      world.answer(doorbells, () => pause(30));
      await doorbells.ring(groupId, STAGE.name);
      for (let turn = 0; turn < 5; turn += 1) {
        ids.push(...(await world.put(groupId, 2)));
        await doorbells.ring(groupId, STAGE.name);
      }
      expect(await world.timesDone(ids)).toEqual(once(ids));
    }, 60_000);
  });
