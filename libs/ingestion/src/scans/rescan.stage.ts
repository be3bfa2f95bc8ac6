import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { outsideTraces } from '@acervo/platform-observability';
import { WorkSignals, type Lease, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { IngestionConfig } from '../ingestion.config';
import { RESCAN, SCAN, WEB } from '../kernel/stages';
import { isWebRoot } from '../locations/web-root';
import { planRescans, UPKEEP_PRIORITY } from '../kernel/upkeep';
import { planScans, type RescanPlan, type RootDue } from './rescan-plan';
import { EXPIRED, RUN_HAS_OPEN_WORK, RunStore } from './run.store';
import { stageOf } from './scan-requests';

/** Longest rest after a start: the program may scan by itself first, and folders may still be mounted. */
const MOST_REST_MS = 60_000;

/**
 * When each root of a group is due: by its latest run, however it began or ended. Research asks for no approved page, and
 * a web location without any is never due.
 */
const DUE = `select l.code, l.root_path as path,
    coalesce(extract(epoch from latest.at + case when w.location_code is null then $2::float8 else $3::float8 end * interval '1 ms' - now()) * 1000, 0)::float8 as "dueInMs",
    coalesce(latest.open, false) or exists (select from ingestion.scan_turn s
      where s.group_id = l.group_id and s.root_code = l.code and s.held_until > now()) as "isAtWork"
  from ingestion.location l left join ingestion.web_root w on w.group_id = l.group_id and w.location_code = l.code
  left join lateral (
    select coalesce(r.finished_at, r.started_at, r.created_at) as at,
      r.summary is null and not r.cancelled and (r.awaited_at > ${EXPIRED} or ${RUN_HAS_OPEN_WORK}) as open
    from ingestion.run r where r.group_id = l.group_id and r.location_code = l.code and not r.research order by r.run desc limit 1
  ) latest on true
  where l.group_id = $1 and l.root_path is not null and l.deleted_at is null and (w.location_code is null or exists (
    select from ingestion.web_page p where p.group_id = l.group_id and p.location_code = l.code and p.decision = 'APPROVED'))`;

/** A root with its path, by which folders and web locations differ. */
interface DueRoot extends RootDue {
  readonly path: string;
}

const isFolder = (root: DueRoot): boolean => !isWebRoot(root);

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
      if (begun > 0) for (const { name } of [SCAN, WEB]) await workSignals.notify(scope.groupId, name);
    }
  }

  /** Runs in one transaction: a killed process leaves all of it or nothing. Answers how many scans begin. */
  private async plan(tx: Transaction, lease: Lease): Promise<number> {
    const { tasks, runs } = this;
    const { rescanSeconds, webRefreshSeconds } = this.config;
    const [everyMs, webEveryMs] = [rescanSeconds * 1_000, webRefreshSeconds * 1_000];
    // Completed before the roots are read: a concurrent first registration waits for this row, and enqueues it again.
    await tasks.complete(tx, lease);
    const roots = await tx.query<DueRoot>(DUE, [tx.groupId, everyMs, webEveryMs]);
    const plans = [this.planOf(roots.filter(isFolder), everyMs), this.planOf(roots.filter(isWebRoot), webEveryMs)];
    const due = new Set(plans.flatMap((plan) => plan?.now ?? []));
    const now = roots.filter(({ code }) => due.has(code));
    const nextLookMs = Math.min(...plans.map((plan) => plan?.nextLookMs ?? Number.POSITIVE_INFINITY));
    if (!Number.isFinite(nextLookMs)) return 0;
    for (const root of now) {
      const { runId } = await runs.plan(tx, root, false);
      const scan = { subjectId: runId, stage: stageOf(root).name, generation: 1, priority: UPKEEP_PRIORITY };
      await outsideTraces(() => tasks.enqueue(tx, scan));
    }
    await planRescans(tasks, tx, nextLookMs);
    return now.length;
  }

  /** The plan of roots with one interval; null where there are none, or nothing is repeated. */
  private planOf(roots: readonly RootDue[], everyMs: number): RescanPlan | null {
    if (everyMs === 0 || roots.length === 0) return null;
    const restMs = Math.min(MOST_REST_MS, everyMs / 10) - (performance.now() - this.openedAt);
    return restMs > 0 ? { now: [], nextLookMs: Math.ceil(restMs) } : planScans(roots, everyMs);
  }
}
