import type { Pool } from 'pg';
import type { ServiceName } from '@acervo/contracts';
import type { DatabaseConnection } from '@acervo/platform-database';
import type { Logger } from '@acervo/platform-observability';
import { openJobPool, openQueue, openWorker, type Ring } from './job-backend';
import type { StageRunner } from './stage-runner';
import type { BoundStage, Stage } from './stages';
import type { Tasks } from './tasks';
import { UrgentLane } from './urgent-lane';

export interface DoorbellParts {
  readonly service: ServiceName;
  readonly connection: DatabaseConnection;
  readonly logger: Logger;
}

const QUIET_MS = 10_000;

/** Rings for work. One bell a service, group and stage: however often it rings, it is one job. */
export class Doorbells {
  private readonly pool: Pool;
  /** Opened with the first ring: a service without stages has none. */
  private queue: ReturnType<typeof openQueue> | undefined;
  private worker: ReturnType<typeof openWorker> | undefined;
  private lane: UrgentLane | undefined;
  private tasks: Tasks | undefined;
  private toldAt = 0;

  constructor(private readonly parts: DoorbellParts) {
    this.pool = openJobPool(parts.connection);
  }

  /** Never fails the work that rings: a bell that is not heard is rung again by the ringer. */
  async ring(groupId: string, stage: string): Promise<void> {
    const isHeard = this.ringUrgent();
    const options = { jobId: `${groupId}-${stage}`, removeOnComplete: true, removeOnFail: true };
    const rung = this.opened()
      .add('ring', { groupId, stage }, options)
      .catch((error: unknown) => this.complain(error));
    // Urgent work has begun; the bell is for what else there may be.
    if (!isHeard) await rung;
  }

  /** Begins with the urgent work that was put down since the last time; whether there was any. */
  ringUrgent(): boolean {
    const places = this.lane === undefined ? [] : (this.tasks?.takeUrgent() ?? []);
    for (const place of places) this.lane?.ring(place);
    return places.length > 0;
  }

  /** Whether somebody rang for a stage of a group and the work that follows is not over yet. */
  async isRinging(groupId: string, stage: string): Promise<boolean> {
    return (await this.opened().getJob(`${groupId}-${stage}`)) !== undefined;
  }

  /** Answers rings with batches; groups take turns, because each ring is worked for one batch and rung anew. */
  answer(stages: readonly BoundStage[], runner: StageRunner, tasks: Tasks, concurrency: number): void {
    const byName = new Map(stages.map((bound) => [bound.stage.name, bound]));
    const work = async ({ data }: { data: Ring }): Promise<void> => {
      const bound = byName.get(data.stage);
      if (bound !== undefined) await runner.runBatch(bound, data.groupId);
    };
    const worker = openWorker(this.parts.service, this.pool, work, concurrency);
    worker.on('error', (error) => this.complain(error));
    worker.on('failed', (_job, error) => this.complain(error));
    // The job is gone by now, so a ring for what came meanwhile is heard.
    worker.on('completed', (job) => {
      const ring = job.data as Ring;
      void this.ringAgain(ring, byName.get(ring.stage)?.stage, tasks);
    });
    this.worker = worker;
    this.tasks = tasks;
    this.lane = new UrgentLane(byName, runner, (error) => this.complain(error));
  }

  /** Whether the backend answers. */
  async ping(): Promise<void> {
    await this.pool.query('select 1');
  }

  async close(): Promise<void> {
    await this.lane?.stop();
    await this.worker?.close();
    await this.queue?.close();
    await this.pool.end();
  }

  private async ringAgain({ groupId }: Ring, stage: Stage | undefined, tasks: Tasks): Promise<void> {
    try {
      if (stage !== undefined && (await tasks.hasWaiting({ groupId }, stage.name)))
        await this.ring(groupId, stage.name);
    } catch (error) {
      this.complain(error);
    }
  }

  private opened(): ReturnType<typeof openQueue> {
    if (this.queue !== undefined) return this.queue;
    this.queue = openQueue(this.parts.service, this.pool);
    this.queue.on('error', (error) => this.complain(error));
    return this.queue;
  }

  /** Workers retry without a pause when their database is away; one line in ten seconds says so. */
  private complain(error: unknown): void {
    if (Date.now() - this.toldAt < QUIET_MS) return;
    this.toldAt = Date.now();
    this.parts.logger.warn({ error }, 'doorbells are waiting for their backend');
  }
}
