import type { Pool } from 'pg';
import type { ServiceName } from '@acervo/contracts';
import { taskTable } from './work-sql';

/** Counting stops here: a longer queue is growing, and its age shows for how long. */
const MOST_COUNTED = 10_000;

/** The work of all groups that could begin now. */
export interface WaitingWork {
  readonly stages: readonly { readonly stage: string; readonly count: number; readonly seconds: number }[];
  readonly groups: {
    /** Seconds: the oldest work of the group that waits longest, and of the group in the middle. */
    readonly oldest: number;
    readonly median: number;
    /** From 0 to 1: how much of the waiting work is of one group. */
    readonly busiestShare: number;
  };
}

/** The oldest tasks that no worker has, each with the seconds since it could begin; found by the index of open tasks. */
const openSql = (service: ServiceName): string => `
select group_id, stage, extract(epoch from clock_timestamp() - greatest(not_before, updated_at))::float8 as seconds
from ${taskTable(service)} where (status = 'WAITING' and not_before <= now()) or (status = 'LEASED' and leased_until < now())
order by updated_at limit ${MOST_COUNTED}`;

const stagesSql = (service: ServiceName): string => `
select stage, count(*)::int as count, greatest(max(seconds), 0) as seconds from (${openSql(service)}) o group by stage`;

const groupsSql = (service: ServiceName): string => `
select greatest(coalesce(max(seconds), 0), 0) as oldest,
  greatest(coalesce(percentile_cont(0.5) within group (order by seconds), 0), 0) as median,
  coalesce(max(tasks)::float8 / sum(tasks)::float8, 0) as "busiestShare"
from (select max(seconds) as seconds, count(*)::int as tasks from (${openSql(service)}) o group by group_id) g`;

/** Reads the waiting work of a service. @param pool of the reconciler role: no other sees the tasks of all groups */
export const readWaitingWork = async (service: ServiceName, pool: Pool): Promise<WaitingWork> => {
  const stages = await pool.query<WaitingWork['stages'][number]>(stagesSql(service));
  const groups = await pool.query<WaitingWork['groups']>(groupsSql(service));
  return { stages: stages.rows, groups: groups.rows[0] ?? { oldest: 0, median: 0, busiestShare: 0 } };
};
