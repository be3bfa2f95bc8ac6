import type { Ring } from './jobs/job-backend';
import type { StageRunner } from './stage-runner';
import type { BoundStage } from './stages';

const nameOf = ({ groupId, stage }: Ring): string => `${groupId}-${stage}`;

/**
 * Works urgent pieces at once and in this process, one batch after the other, beside whatever the bells set going: a
 * backlog of any length stands behind them. What is lost here, with its process or by a failure, waits for the bells.
 */
export class UrgentLane {
  private readonly waiting = new Map<string, Ring>();
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly stages: ReadonlyMap<string, BoundStage>,
    private readonly runner: Pick<StageRunner, 'runBatch'>,
    private readonly complain: (error: unknown) => void,
  ) {}

  ring(ring: Ring): void {
    if (this.stopped) return;
    this.waiting.set(nameOf(ring), ring);
    this.running ??= this.run();
  }

  /** Resolves when nothing waits here any more. */
  async settled(): Promise<void> {
    await this.running;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.waiting.clear();
    await this.running;
  }

  private async run(): Promise<void> {
    // Never to its end before whoever started it knows that it runs.
    await Promise.resolve();
    for (const [name, ring] of this.waiting) {
      this.waiting.delete(name);
      const bound = this.stages.get(ring.stage);
      if (bound === undefined) continue;
      const taken = await this.runner.runBatch(bound, ring.groupId, true).catch((error: unknown) => {
        this.complain(error);
        return 0;
      });
      // Whoever else waits comes first: set anew, it stands at the end.
      if (taken === bound.stage.batch && !this.stopped) this.waiting.set(name, ring);
    }
    this.running = undefined;
  }
}
