import type { WorkSignal } from './jobs/job-backend';
import type { StageRunner } from './stage-runner';
import type { BoundStage } from './stages';

const nameOf = ({ groupId, stage }: WorkSignal): string => `${groupId}-${stage}`;

/**
 * Runs urgent tasks at once in this process, one batch after the other, beside the batches that work signals start. A
 * backlog of any length comes after them. Tasks lost here, by a failure or the end of the process, wait for a work
 * signal.
 */
export class ExpressWorker {
  private readonly waiting = new Map<string, WorkSignal>();
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly stages: ReadonlyMap<string, BoundStage>,
    private readonly runner: Pick<StageRunner, 'runBatch'>,
    private readonly complain: (error: unknown) => void,
  ) {}

  signal(signal: WorkSignal): void {
    if (this.stopped) return;
    this.waiting.set(nameOf(signal), signal);
    this.running ??= this.run();
  }

  /** Resolves when no signal waits here. */
  async settled(): Promise<void> {
    await this.running;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.waiting.clear();
    await this.running;
  }

  private async run(): Promise<void> {
    // `signal` assigns `running` before the first batch can end.
    await Promise.resolve();
    for (const [name, signal] of this.waiting) {
      this.waiting.delete(name);
      const bound = this.stages.get(signal.stage);
      if (bound === undefined) continue;
      const taken = await this.runner.runBatch(bound, signal.groupId, true).catch((error: unknown) => {
        this.complain(error);
        return 0;
      });
      // Fair among signals: set again, this one goes to the end of the map.
      if (taken === bound.stage.batch && !this.stopped) this.waiting.set(name, signal);
    }
    this.running = undefined;
  }
}
