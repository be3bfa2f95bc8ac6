import type { WorkSignal } from './jobs/job-backend';
import type { StageRunner } from './stage-runner';
import type { BoundStage } from './stages';

const nameOf = ({ groupId, stage }: WorkSignal): string => `${groupId}-${stage}`;

/** Batches at a time. */
const MOST = 8;
/** Batches of one group at a time: urgent work of minutes does not delay another group. */
const MOST_PER_GROUP = 2;

/**
 * Runs urgent tasks at once in this process, beside the batches that work signals start: a batch of a group and stage
 * at a time, in the order of their signals. A backlog of any length comes after them. Tasks lost here, by a failure or
 * the end of the process, wait for a work signal.
 */
export class ExpressWorker {
  private readonly waiting = new Map<string, WorkSignal>();
  private readonly running = new Map<string, { readonly groupId: string; readonly ended: Promise<void> }>();
  private stopped = false;

  constructor(
    private readonly stages: ReadonlyMap<string, BoundStage>,
    private readonly runner: Pick<StageRunner, 'runBatch'>,
    private readonly complain: (error: unknown) => void,
  ) {}

  signal(signal: WorkSignal): void {
    if (this.stopped) return;
    this.waiting.set(nameOf(signal), signal);
    this.startNext();
  }

  /** Resolves when no signal waits here. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.waiting.clear();
    await this.settled();
  }

  private startNext(): void {
    for (const [name, signal] of this.waiting) {
      if (this.running.size >= MOST) return;
      if (!this.mayRun(name, signal)) continue;
      this.waiting.delete(name);
      const bound = this.stages.get(signal.stage);
      if (bound === undefined) continue;
      this.running.set(name, { groupId: signal.groupId, ended: this.run(name, signal, bound) });
    }
  }

  private mayRun(name: string, { groupId }: WorkSignal): boolean {
    const ofGroup = [...this.running.values()].filter((each) => each.groupId === groupId);
    return !this.running.has(name) && ofGroup.length < MOST_PER_GROUP;
  }

  private async run(name: string, signal: WorkSignal, bound: BoundStage): Promise<void> {
    const taken = await this.runner.runBatch(bound, signal.groupId, true).catch((error: unknown) => {
      this.complain(error);
      return 0;
    });
    this.running.delete(name);
    // Fair among signals: set again, this one goes to the end of the map.
    if (taken === bound.stage.batch && !this.stopped) this.waiting.set(name, signal);
    this.startNext();
  }
}
