import type { WorkSignals } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';

/** A signal costs more than a small step; the stage after a slow batch must not wait for its end. */
const EVERY_MS = 1_000;

/** Signals the stages that a batch gave tasks: at most once a second, and at its end. */
export class StageNotifier {
  private notifiedAt = performance.now();

  /** @param stages the stages with new tasks; they are removed once they are signalled */
  constructor(
    private readonly workSignals: Pick<WorkSignals, 'notify' | 'runUrgent'>,
    private readonly scope: Pick<WorkScope, 'groupId' | 'urgent'>,
    private readonly stages: Set<string>,
  ) {}

  /** Signals during the batch, unless it did so a moment ago. */
  async signal(): Promise<void> {
    if (performance.now() - this.notifiedAt >= EVERY_MS) await this.end();
  }

  /** Urgent tasks run in this process, so they need no signal. */
  async end(): Promise<void> {
    this.notifiedAt = performance.now();
    const stages = [...this.stages];
    this.stages.clear();
    if (this.scope.urgent === true && this.workSignals.runUrgent()) return;
    for (const stage of stages) await this.workSignals.notify(this.scope.groupId, stage);
  }
}
