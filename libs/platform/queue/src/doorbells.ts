import type { ServiceName } from '@acervo/contracts';
import { type Logger, workContext } from '@acervo/platform-observability';
import type { JobBackend, Ring, RingQueue, RingWorker } from './jobs/job-backend';
import type { StageRunner } from './stage-runner';
import type { BoundStage, Stage } from './stages';
import type { Tasks } from './tasks';
import { UrgentLane } from './urgent-lane';

export interface DoorbellParts {
  readonly service: ServiceName;
  readonly jobs: JobBackend;
  readonly logger: Logger;
}

const QUIET_MS = 10_000;
/** Longest that a ring holds up the work that rings, and closing waits for a backend that is away. */
const PATIENCE_MS = 3_000;

const atMost = async (ms: number, work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]).finally(() =>
    clearTimeout(timer),
  );
};

/** Rings for work. One bell a service, group and stage: however often it rings, it is one job. */
export class Doorbells {
  /** Opened with the first ring: a service without stages has none. */
  private queue: RingQueue | undefined;
  private worker: RingWorker | undefined;
  private lane: UrgentLane | undefined;
  private tasks: Tasks | undefined;
  private toldAt = 0;
  private closing: Promise<void> | undefined;

  constructor(private readonly parts: DoorbellParts) {}

  /** Whether bells hang on an engine of their own, beside the database. */
  get remote(): boolean {
    return this.parts.jobs.remote;
  }

  /** Never fails the work that rings: a bell that is not heard is rung again by the ringer. */
  async ring(groupId: string, stage: string): Promise<void> {
    const isHeard = this.ringUrgent();
    const options = { jobId: `${groupId}-${stage}`, removeOnComplete: true, removeOnFail: true };
    const rung = this.opened()
      .add('ring', { groupId, stage, traceparent: workContext.traceparent() }, options)
      .catch((error: unknown) => this.complain(error));
    // Urgent work has begun; the bell is for what else there may be. A backend that was away just now is not waited for.
    if (!isHeard && !this.isAway) await atMost(PATIENCE_MS, rung);
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
      if (bound !== undefined) await runner.runBatch(bound, data.groupId, false, data.traceparent);
    };
    const worker = this.parts.jobs.openWorker(this.parts.service, work, concurrency);
    worker.on('error', (error) => this.complain(error));
    worker.on('failed', (_job, error) => this.complain(error));
    // The job is gone by now, so a ring for what came meanwhile is heard.
    worker.on('completed', ({ data }) => void this.ringAgain(data, byName.get(data.stage)?.stage, tasks));
    this.worker = worker;
    this.tasks = tasks;
    this.lane = new UrgentLane(byName, runner, (error) => this.complain(error));
  }

  /** Whether the backend answers. */
  async ping(): Promise<void> {
    await this.parts.jobs.ping();
  }

  /** Asked again it waits for the same end: what was cut off from its engine cannot be closed politely any more. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    await this.lane?.stop();
    const isThere = !this.remote || (await this.answers());
    for (const opened of [this.worker, this.queue]) {
      // Politely it would wait for the engine to come back; what was being worked is taken up again when its lease ends.
      if (!isThere) void opened?.disconnect().catch(() => undefined);
      if (opened !== undefined) await (isThere ? opened.close() : atMost(PATIENCE_MS, opened.close()));
    }
    await this.parts.jobs.close();
  }

  private answers(): Promise<boolean> {
    return this.ping().then(
      () => true,
      () => false,
    );
  }

  private async ringAgain({ groupId }: Ring, stage: Stage | undefined, tasks: Tasks): Promise<void> {
    try {
      if (stage !== undefined && (await tasks.hasWaiting({ groupId }, stage.name)))
        await this.ring(groupId, stage.name);
    } catch (error) {
      this.complain(error);
    }
  }

  private opened(): RingQueue {
    if (this.queue !== undefined) return this.queue;
    this.queue = this.parts.jobs.openQueue(this.parts.service);
    this.queue.on('error', (error) => this.complain(error));
    return this.queue;
  }

  private get isAway(): boolean {
    return Date.now() - this.toldAt < QUIET_MS;
  }

  /** Workers retry without a pause when their database is away; one line in ten seconds says so. */
  private complain(error: unknown): void {
    if (this.isAway) return;
    this.toldAt = Date.now();
    this.parts.logger.warn({ error }, 'doorbells are waiting for their backend');
  }
}
