import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { outsideTraces } from '@acervo/platform-observability';
import { WorkSignals, type Lease, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { IngestionConfig } from '../ingestion.config';
import { RESCAN, SCAN } from '../kernel/stages';
import { planRescans, UPKEEP_PRIORITY } from '../kernel/upkeep';
import { planScans, type RootDue } from './rescan-plan';
import { EXPIRED, RUN_HAS_OPEN_WORK, RunStore } from './run.store';

/** Longest rest after a start: the program may scan by itself first, and folders may still be mounted. */
const MOST_REST_MS = 60_000;

/** When each root of a group is due: by its latest run, however it began or ended. */
const DUE = `select l.code, coalesce(extract(epoch from latest.at + $2 * interval '1 ms' - now()) * 1000, 0)::float8 as "dueInMs",
    coalesce(latest.open, false) or exists (select from ingestion.scan_turn s
      where s.group_id = l.group_id and s.root_code = l.code and s.held_until > now()) as "isAtWork"
  from ingestion.location l left join lateral (
    select coalesce(r.finished_at, r.started_at, r.created_at) as at,
      r.summary is null and not r.cancelled and (r.awaited_at > ${EXPIRED} or ${RUN_HAS_OPEN_WORK}) as open
    from ingestion.run r where r.group_id = l.group_id and r.location_code = l.code order by r.run desc limit 1
  ) latest on true
  where l.group_id = $1 and l.root_path is not null and l.deleted_at is null`;

/** Requests repeated scans of every root of a group, one after the other, from any process. */
@Injectable()
export class RescanStage {
  private readonly openedAt = performance.now();

  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly runs: RunStore,
    private readonly workSignals: WorkSignals,
    private readonly config: IngestionConfig,
  ) {}

  @RunsStage(RESCAN)
  async look(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { database, workSignals } = this;
    for (const lease of leases) {
      const begun = await database.write(scope, (tx) => this.plan(tx, lease));
      if (begun > 0) await workSignals.notify(scope.groupId, SCAN.name);
    }
  }

  /** Runs in one transaction: a killed process leaves all of it or nothing. Answers how many scans begin. */
  private async plan(tx: Transaction, lease: Lease): Promise<number> {
    const { tasks, runs } = this;
    const everyMs = this.config.rescanSeconds * 1_000;
    // Completed before the roots are read: a concurrent first registration waits for this row, and enqueues it again.
    await tasks.complete(tx, lease);
    const roots = everyMs === 0 ? [] : await tx.query<RootDue>(DUE, [tx.groupId, everyMs]);
    if (roots.length === 0) return 0;
    const restMs = Math.min(MOST_REST_MS, everyMs / 10) - (performance.now() - this.openedAt);
    const { now, nextLookMs } = restMs > 0 ? { now: [], nextLookMs: Math.ceil(restMs) } : planScans(roots, everyMs);
    for (const code of now) {
      const { runId } = await runs.plan(tx, { code }, false);
      const scan = { subjectId: runId, stage: SCAN.name, generation: 1, priority: UPKEEP_PRIORITY };
      await outsideTraces(() => tasks.enqueue(tx, scan));
    }
    await planRescans(tasks, tx, nextLookMs);
    return now.length;
  }
}
