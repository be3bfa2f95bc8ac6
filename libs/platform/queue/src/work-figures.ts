import { Inject, Injectable } from '@nestjs/common';
import { Metrics } from '@acervo/platform-observability';
import { Periodic } from '@acervo/platform-resilience';
import { GROUP_OLDEST, BUSIEST_GROUP, WORK_OLDEST, WORK_WAITING } from './queue-metrics';
import { TaskReconciler } from './task-reconciler';
import type { WaitingWork } from './waiting-work';

const EVERY_MS = 15_000;

/** Where the figures come from: one read of all groups of a service. */
export interface WaitingWorkSource {
  waitingWork(): Promise<WaitingWork>;
}

/**
 * Publishes periodically how much work waits at each stage, for how long, and how evenly over the groups, without naming
 * one. While the database does not answer there is no figure; a stale one would pass for a fresh one.
 */
@Injectable()
export class WorkFigures {
  private readonly waiting;
  private readonly oldest;
  private readonly ofGroups;
  private readonly busiest;
  private readonly rounds = new Periodic(() => this.measure(), { firstMs: 0, everyMs: EVERY_MS });
  private stages: readonly string[] = [];

  constructor(
    metrics: Metrics,
    @Inject(TaskReconciler) private readonly source: WaitingWorkSource,
  ) {
    this.waiting = metrics.gauge(WORK_WAITING);
    this.oldest = metrics.gauge(WORK_OLDEST);
    this.ofGroups = metrics.gauge(GROUP_OLDEST);
    this.busiest = metrics.gauge(BUSIEST_GROUP);
  }

  /** @param stages the stages of the service; one without waiting work has figures too */
  start(stages: readonly string[]): void {
    this.stages = stages;
    this.rounds.start();
  }

  stop(): void {
    void this.rounds.stop();
  }

  async measure(): Promise<void> {
    try {
      const { stages, groups } = await this.source.waitingWork();
      const found = new Map(stages.map((each) => [each.stage, each]));
      for (const stage of new Set([...this.stages, ...found.keys()])) {
        this.waiting.set({ stage }, found.get(stage)?.count ?? 0);
        this.oldest.set({ stage }, found.get(stage)?.seconds ?? 0);
      }
      this.ofGroups.set({ over: 'maximum' }, groups.oldest);
      this.ofGroups.set({ over: 'median' }, groups.median);
      this.busiest.set(groups.busiestShare);
    } catch {
      for (const gauge of [this.waiting, this.oldest, this.ofGroups]) gauge.reset();
      this.busiest.remove();
    }
  }
}
