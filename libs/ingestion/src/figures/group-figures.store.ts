import { Inject, Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Database } from '@acervo/platform-database';
import { TaskReconciler } from '@acervo/platform-queue';

/** Ages in seconds and counts of one group; null for what never was. */
export interface GroupFigures {
  readonly comparisonSeconds: number | null;
  /** Of the root that was scanned longest ago. */
  readonly scanSeconds: number | null;
  /** Shares that the latest scan of their root found unmounted. */
  readonly unmounted: number;
}

const FIGURES = `
select (select extract(epoch from clock_timestamp() - c.finished_at)::float8
    from ingestion.reconciliation c where c.group_id = $1) as "comparisonSeconds",
  extract(epoch from clock_timestamp() - min(latest.finished_at))::float8 as "scanSeconds",
  coalesce(sum((latest.summary ->> 'unmounted')::int), 0)::int as unmounted
from ingestion.location l cross join lateral (
  select r.finished_at, r.summary from ingestion.run r
  where r.group_id = l.group_id and r.location_code = l.code and r.finished_at is not null and r.summary is not null
  order by r.run desc limit 1) latest
where l.group_id = $1 and l.root_path is not null and l.deleted_at is null`;

const NONE: GroupFigures = { comparisonSeconds: null, scanSeconds: null, unmounted: 0 };

/** Reads figures about scans and comparisons, group by group: each read is under row level security. */
@Injectable()
export class GroupFiguresStore {
  constructor(
    @Inject(BackgroundDatabase) private readonly database: Database,
    @Inject(TaskReconciler) private readonly reconciler: Pick<TaskReconciler, 'groups'>,
  ) {}

  /** Groups with open work; each group with folders has some, the next scan and the next comparison. */
  groups(): Promise<readonly string[]> {
    return this.reconciler.groups();
  }

  async of(groupId: string): Promise<GroupFigures> {
    const [row] = await this.database.read({ groupId }, (tx) => tx.prepared<GroupFigures>(FIGURES, [groupId]));
    return row ?? NONE;
  }
}
