import type { Database, Transaction } from '@acervo/platform-database';
import { outsideTraces } from '@acervo/platform-observability';
import { type Doorbells, type Lease, RunsStage, type Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { RESCAN, SCAN } from '../pipeline/stages';
import { planRescans, UPKEEP_PRIORITY } from '../pipeline/upkeep';
import { planScans, type RootDue } from './rescan-plan';
import { ABANDONED, OPEN, type RunStore } from './run.store';

export interface RescanParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly runs: Pick<RunStore, 'plan'>;
  readonly doorbells: Pick<Doorbells, 'ring'>;
  /** From the end of one scan of a root to the next; 0 for none that nobody asks for. */
  readonly everyMs: number;
}

/** Whoever starts the process may scan first, and folders may still be mounted. */
const MOST_REST_MS = 60_000;

/** When each root of a group is due: by its latest run, whoever began it and however that ended. */
const DUE = `select l.code, coalesce(extract(epoch from latest.at + $2 * interval '1 ms' - now()) * 1000, 0)::float8 as "dueInMs",
    coalesce(latest.open, false) or exists (select from ingestion.scan_turn s
      where s.group_id = l.group_id and s.root_code = l.code and s.held_until > now()) as "isAtWork"
  from ingestion.location l left join lateral (
    select coalesce(r.finished_at, r.started_at, r.created_at) as at,
      r.summary is null and not r.cancelled and (r.awaited_at > ${ABANDONED} or exists (select from ingestion.task t
        where t.group_id = r.group_id and t.subject_id = r.run_id and ${OPEN})) as open
    from ingestion.run r where r.group_id = l.group_id and r.location_code = l.code order by r.run desc limit 1
  ) latest on true
  where l.group_id = $1 and l.root_path is not null and l.deleted_at is null`;

/** Has every root of a group scanned again now and then, one after the other, whatever process is there to do it. */
export class RescanStage {
  private readonly openedAt = performance.now();

  constructor(private readonly parts: RescanParts) {}

  @RunsStage(RESCAN)
  async look(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { database, doorbells } = this.parts;
    for (const lease of leases) {
      const begun = await database.write(scope, (tx) => this.plan(tx, lease));
      if (begun > 0) await doorbells.ring(scope.groupId, SCAN.name);
    }
  }

  /** In one transaction: a process that dies leaves all of it or nothing. Answers how many scans begin. */
  private async plan(tx: Transaction, lease: Lease): Promise<number> {
    const { tasks, runs, everyMs } = this.parts;
    // Before the roots are read: whoever adds the first one meanwhile waits for this row, and has it wait anew.
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
