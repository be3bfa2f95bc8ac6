import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Metrics } from '@acervo/platform-observability';
import { Periodic } from '@acervo/platform-resilience';
import { LAST_COMPARISON, LAST_SCAN, UNMOUNTED } from '../ingestion.metrics';
import { type GroupFigures, GroupFiguresStore } from './group-figures.store';

const EVERY_MS = 15_000;
/** Groups that one round reads; further ones follow in the next rounds. */
const GROUPS_EACH = 100;

/** The figures of a group and when they were read. */
interface DatedFigures extends GroupFigures {
  readonly readAt: number;
}

/**
 * Publishes how old the last scan and the last comparison are, and how many shares are unmounted, over all groups and
 * without naming one. Rounds read the groups in the background; a scrape computes ages from memory.
 */
@Injectable()
export class ScanFigures implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly latest = new Map<string, DatedFigures>();
  private queue: string[] = [];
  private readonly rounds = new Periodic(() => this.round(), { everyMs: EVERY_MS });

  constructor(
    @Inject(GroupFiguresStore) private readonly store: Pick<GroupFiguresStore, 'groups' | 'of'>,
    metrics: Metrics,
  ) {
    for (const [declaration, of] of [
      [LAST_COMPARISON, ({ comparisonSeconds }: DatedFigures) => comparisonSeconds],
      [LAST_SCAN, ({ scanSeconds }: DatedFigures) => scanSeconds],
    ] as const)
      metrics.gauge(declaration, (gauge) => {
        const oldest = this.oldest(of);
        if (oldest === undefined) gauge.remove();
        else gauge.set(oldest);
      });
    metrics.gauge(UNMOUNTED, (gauge) => {
      gauge.set([...this.latest.values()].reduce((sum, { unmounted }) => sum + unmounted, 0));
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): void {
    void this.rounds.stop();
  }

  /** Reads the next groups. Without the database, the ages of the last round go on. */
  async round(): Promise<void> {
    try {
      if (this.queue.length === 0) await this.list();
      for (const groupId of this.queue.splice(0, GROUPS_EACH))
        this.latest.set(groupId, { ...(await this.store.of(groupId)), readAt: performance.now() });
    } catch {
      this.queue = [];
    }
  }

  private async list(): Promise<void> {
    this.queue = [...(await this.store.groups())];
    for (const groupId of this.latest.keys()) if (!this.queue.includes(groupId)) this.latest.delete(groupId);
  }

  /** The greatest age over the groups, in seconds; undefined where none is known. */
  private oldest(of: (figures: DatedFigures) => number | null): number | undefined {
    const ages = [...this.latest.values()].flatMap((figures) => {
      const seconds = of(figures);
      return seconds === null ? [] : [seconds + (performance.now() - figures.readAt) / 1_000];
    });
    return ages.length === 0 ? undefined : Math.max(...ages);
  }
}
