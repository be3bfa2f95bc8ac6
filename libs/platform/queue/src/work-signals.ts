import { workContext } from '@acervo/platform-observability';
import { atMost } from '@acervo/platform-resilience';
import { closeJobs } from './jobs/close-jobs';
import type { JobBackend, WorkSignal } from './jobs/job-backend';
import type { JobWarnings } from './jobs/job-warnings';
import type { Tasks } from './tasks';
import type { ExpressWorker } from './express-worker';
import { SignalMemory } from './signal-memory';
import type { Stage } from './stages';
import type { WorkQueues } from './work-queues';

/** Longest that a notification delays its caller. */
const PATIENCE_MS = 3_000;
/** Signals that are looked through for another group. */
const MOST_LOOKED_AT = 64;

/** Signals that tasks wait: one job per service, group and stage, however often it is signalled. */
export class WorkSignals {
  private urgent: { readonly express: ExpressWorker; readonly tasks: Tasks } | undefined;
  private closing: Promise<void> | undefined;
  private readonly memory = new SignalMemory((groupId, stage) => void this.notify(groupId, stage));

  constructor(
    private readonly queues: WorkQueues,
    private readonly jobs: JobBackend,
    private readonly warnings: JobWarnings,
  ) {
    for (const queue of queues.all) queue.on('error', (error) => warnings.warn(error));
  }

  /** Whether signals need an engine of their own, beside the database. */
  get remote(): boolean {
    return this.jobs.remote;
  }

  /** Sets the stages of the service, before the first signal. */
  bind(stages: readonly Stage[]): void {
    this.queues.bind(stages);
  }

  /** Never throws: the task reconciler repeats a lost signal. */
  async notify(groupId: string, stage: string): Promise<void> {
    const isRunning = this.runUrgent();
    if (this.closing !== undefined || !this.memory.isDue(groupId, stage)) return;
    const options = { jobId: `${groupId}-${stage}`, removeOnComplete: true, removeOnFail: true };
    const notified = this.queues
      .of(stage)
      .add('ring', { groupId, stage, traceparent: workContext.traceparent() }, options)
      .catch((error: unknown) => this.warnings.warn(error));
    // Urgent tasks have begun; the signal is for the others. A backend that failed recently is not waited for.
    if (!isRunning && !this.warnings.areRecent) await atMost(PATIENCE_MS, notified);
  }

  /** A batch of a signal begins in this process: until `ended`, its own search for tasks replaces signals. */
  begun({ groupId, stage }: WorkSignal): void {
    this.memory.begun(groupId, stage);
  }

  /** The batches of a signal are over; once its job is, its worker looks for further tasks. */
  ended({ groupId, stage }: WorkSignal): void {
    this.memory.ended(groupId, stage);
  }

  /** From now on, starts urgent tasks in this process as soon as they are enqueued. */
  workUrgent(express: ExpressWorker, tasks: Tasks): void {
    this.urgent = { express, tasks };
  }

  /** Starts the urgent tasks enqueued since the last call; answers whether there were any. */
  runUrgent(): boolean {
    if (this.urgent === undefined) return false;
    const { express, tasks } = this.urgent;
    const places = tasks.takeUrgent();
    for (const place of places) express.signal(place);
    return places.length > 0;
  }

  /** Whether a signal of a stage and group is pending or its batch still runs. */
  async isPending(groupId: string, stage: string): Promise<boolean> {
    return (await this.queues.of(stage).getJob(`${groupId}-${stage}`)) !== undefined;
  }

  /** Whether another group waits for a slot of the capacity of this stage. Never throws. */
  async othersWait(groupId: string, stage: string): Promise<boolean> {
    try {
      const jobs = await this.queues.of(stage).getWaiting(0, MOST_LOOKED_AT - 1);
      return jobs.some(({ data }) => data.groupId !== groupId);
    } catch (error) {
      this.warnings.warn(error);
      return false;
    }
  }

  /** Whether a signal waits for a slot of the capacity of this stage. While the backend is away, it may. Never throws. */
  async anyWaits(stage: string): Promise<boolean> {
    try {
      return (await this.queues.of(stage).getWaiting(0, 0)).length > 0;
    } catch (error) {
      this.warnings.warn(error);
      return true;
    }
  }

  /** Checks that the backend answers. */
  async ping(): Promise<void> {
    await this.jobs.ping();
  }

  /** Closes the queue and its backend; a second call waits for the same end. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.memory.close();
    await Promise.all(this.queues.all.map((queue) => closeJobs(queue, this.jobs)));
    await this.jobs.close();
  }
}
