import { Injectable } from '@nestjs/common';
import type { LlmAlertsRequest, Queue, QueueRequest, ResolvedLlmAlerts } from '@acervo/contracts';
import { Database, type Transaction } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import type { PipelineProcess, QueueStatus } from '@acervo/public-mapping';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { RUN_SKILL } from '../kernel/stages';
import { work } from '../kernel/work-sql';
import { WAITING_REASONS } from '../skills/model/model-failures';
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
  constructor(
    private readonly database: Database,
    private readonly tasks: Tasks,
  ) {}

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

  /** Lets waiting runs over visible documents begin now. Requests lock a run before its task, too. */
  async resume(
    tx: Transaction,
    visibility: Visibility,
    { skillCode, reason }: LlmAlertsRequest,
  ): Promise<ResolvedLlmAlerts> {
    const visible = visibilitySql(visibility, 'd', 3);
    const waiting = await tx.query<{ workId: string; skillCode: string; reason: string }>(
      `select s.work_id as "workId", s.skill_code as "skillCode", t.reason from ${RUNS}
       where s.group_id = $1 and d.deleted_at is null and t.reason = any($2::text[]) and ${STATUS} = 'EN_ESPERA'
         and ${visible.sql} order by s.work_id for update of s`,
      [tx.groupId, Object.values(WAITING_REASONS), ...visible.params],
    );
    const wanted = waiting.filter(
      (run) =>
        (skillCode === undefined || run.skillCode === skillCode) &&
        (reason === undefined || run.reason === WAITING_REASONS[reason]),
    );
    const subjects = wanted.map(({ workId }) => workId);
    if (subjects.length > 0) await this.tasks.hasten(tx, subjects, RUN_SKILL.name);
    return { resumed: wanted.length, remaining: waiting.length - wanted.length };
  }
}
