import { Injectable } from '@nestjs/common';
import type { Queue, QueueRequest } from '@acervo/contracts';
import { Database } from '@acervo/platform-database';
import type { PipelineProcess, QueueStatus } from '@acervo/public-mapping';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { work } from '../kernel/work-sql';
import { itemOf, type QueueRow, STATUS } from './queue-rows';

/** The kind of work of runs of skills. */
export const SKILL = 'skill' satisfies PipelineProcess;

const RUNS = `ingestion.document_skill s
  join ingestion.document d on d.group_id = s.group_id and d.document_id = s.document_id
  ${work.join({ group: 's.group_id', subject: 's.work_id' })}`;

/** The requested runs, and the user who asks for them. */
export interface AskedRuns extends Pick<QueueRequest, 'status' | 'limit'> {
  readonly userId: string;
}

/** Runs of skills over documents, as a caller sees them: the latest of each skill and document. */
@Injectable()
export class SkillQueueStore {
  constructor(private readonly database: Database) {}

  /** The space of a run is shown to the user alone who requested it: others may not see that it exists. */
  list(visibility: Visibility, { userId, status, limit }: AskedRuns): Promise<Queue> {
    const visible = visibilitySql(visibility, 'd', 3);
    const from = `from ${RUNS} where s.group_id = $1 and d.deleted_at is null
      and ($2::text is null or ${STATUS} = $2) and ${visible.sql}`;
    const params = [visibility.groupId, status ?? null, ...visible.params];
    return this.database.read(visibility, async (tx) => {
      const [count] = await tx.query<{ total: number }>(`select count(*)::int as total ${from}`, params);
      const rows = await tx.query<QueueRow>(
        `select d.code as "documentCode", d.name as "documentName", '${SKILL}' as process, ${STATUS} as status,
           t.attempts, t.reason, s.run_id as "runId", s.skill_code as "skillCode", case when s.requested_by = $${params.length + 1}::uuid then s.space_id end as "spaceId",
           s.requested_at as "createdAt", t.updated_at as "updatedAt"
         ${from} order by t.updated_at desc, d.code, s.skill_code limit ${limit}`,
        [...params, userId],
      );
      return { items: rows.map(itemOf), total: count?.total ?? 0 };
    });
  }

  /** The runs by state. */
  summary(visibility: Visibility): Promise<{ process: PipelineProcess; status: QueueStatus; pieces: number }[]> {
    const visible = visibilitySql(visibility, 'd', 2);
    return this.database.read(visibility, (tx) =>
      tx.query<{ process: PipelineProcess; status: QueueStatus; pieces: number }>(
        `select '${SKILL}' as process, ${STATUS} as status, count(*)::int as pieces from ${RUNS}
         where s.group_id = $1 and d.deleted_at is null and ${visible.sql} group by 2`,
        [visibility.groupId, ...visible.params],
      ),
    );
  }
}
