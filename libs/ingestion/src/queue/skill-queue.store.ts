import { Injectable } from '@nestjs/common';
import type { LlmAlertsRequest, Queue, QueueRequest, ResolvedLlmAlerts } from '@acervo/contracts';
import { Database, type Transaction } from '@acervo/platform-database';
import { type Stage, Tasks } from '@acervo/platform-queue';
import type { PipelineProcess, QueueStatus } from '@acervo/public-mapping';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { REDUCE_SKILL, RUN_SKILL } from '../kernel/stages';
import { work } from '../kernel/work-sql';
import { WAITING_REASONS } from '../skills/model/model-failures';
import { itemOf, type QueueRow, STATUS } from './queue-rows';

/** The kind of work of runs of skills. */
export const SKILL = 'skill' satisfies PipelineProcess;

/** The requested runs, and the user who asks for them. */
export interface AskedRuns extends Pick<QueueRequest, 'status' | 'limit'> {
  readonly userId: string;
  /** Only runs that the user requested. */
  readonly isOwn?: boolean;
  /** Only work on documents that this scan found last. */
  readonly run?: number | null;
}

const WORK = work.join({ group: '$1', subject: 's.work_id' });
const COLUMNS = 's.group_id, s.work_id, s.run_id, s.skill_code, s.space_id, s.requested_by, s.requested_at';

/**
 * Work of skills, as `s`: on visible documents, and what follows it over spaces, which its user alone sees. `$1` is the
 * group, `$2` the user, `$3` whether other runs are left out, `$4` a scan or null.
 */
const runsOf = (visibility: Visibility): { from: string; params: readonly unknown[] } => {
  const visible = visibilitySql(visibility, 'd', 5);
  const from = `(
    select ${COLUMNS}, d.code, d.name from ingestion.document_skill s
      join ingestion.document d on d.group_id = s.group_id and d.document_id = s.document_id
      where s.group_id = $1 and d.deleted_at is null and (not $3::boolean or s.requested_by = $2::uuid)
        and ($4::int is null or d.run = $4) and ${visible.sql}
    union all
    select ${COLUMNS}, null, null from ingestion.space_skill s
      where s.group_id = $1 and s.requested_by = $2::uuid and $4::int is null) s ${WORK}`;
  return { from, params: visible.params };
};

/** Runs that wait for a model, as `s` with their task `t`; `$1` is the group. */
interface WaitingRuns {
  readonly stage: Stage;
  readonly from: string;
}

/** Runs that begin now, and the stages that have them. */
interface ResumedRuns {
  readonly answer: ResolvedLlmAlerts;
  readonly stages: readonly string[];
}

/** The first parameter of what a caller sees; the reasons and what is requested come before. */
const VISIBLE_FROM = 5;

const waitingRuns = (visibility: Visibility): readonly WaitingRuns[] => {
  const visible = visibilitySql(visibility, 'd', VISIBLE_FROM).sql;
  const ofDocuments = `ingestion.document_skill s
    join ingestion.document d on d.group_id = s.group_id and d.document_id = s.document_id ${WORK}
    where s.group_id = $1 and d.deleted_at is null and ${visible}`;
  const ofSpaces = `ingestion.space_skill s ${WORK}
    where s.group_id = $1 and not exists (select from ingestion.document d
      where d.group_id = $1 and d.document_id = any(s.document_ids) and d.deleted_at is null and not (${visible}))`;
  return [
    { stage: RUN_SKILL, from: ofDocuments },
    { stage: REDUCE_SKILL, from: ofSpaces },
  ];
};

/** Runs of skills as a caller sees them: the latest of each skill and document, and of each skill and space. */
@Injectable()
export class SkillQueueStore {
  constructor(
    private readonly database: Database,
    private readonly tasks: Tasks,
  ) {}

  /** The space of a run is shown to the user alone who requested it: others may not see that it exists. */
  list(visibility: Visibility, { userId, status, limit, isOwn = false, run = null }: AskedRuns): Promise<Queue> {
    const { from, params } = runsOf(visibility);
    const values = [visibility.groupId, userId, isOwn, run, ...params, status ?? null];
    const wanted = `from ${from} where ($${values.length}::text is null or ${STATUS} = $${values.length})`;
    return this.database.read(visibility, async (tx) => {
      const [count] = await tx.query<{ total: number }>(`select count(*)::int as total ${wanted}`, values);
      const rows = await tx.query<QueueRow>(
        `select s.code as "documentCode", s.name as "documentName", '${SKILL}' as process, ${STATUS} as status,
           t.attempts, t.reason, s.run_id as "runId", s.skill_code as "skillCode",
           case when s.requested_by = $2::uuid then s.space_id end as "spaceId",
           s.requested_at as "createdAt", t.updated_at as "updatedAt"
         ${wanted} order by t.updated_at desc, s.code nulls last, s.skill_code limit ${limit}`,
        values,
      );
      return { items: rows.map(itemOf), total: count?.total ?? 0 };
    });
  }

  /** The runs by state. */
  summary(
    visibility: Visibility,
    userId: string,
  ): Promise<{ process: PipelineProcess; status: QueueStatus; pieces: number }[]> {
    const { from, params } = runsOf(visibility);
    return this.database.read(visibility, (tx) =>
      tx.query<{ process: PipelineProcess; status: QueueStatus; pieces: number }>(
        `select '${SKILL}' as process, ${STATUS} as status, count(*)::int as pieces from ${from} group by 2`,
        [visibility.groupId, userId, false, null, ...params],
      ),
    );
  }

  /**
   * Lets waiting runs over visible documents begin now, and those over spaces all of whose documents are visible. Requests
   * lock a run before its task, too.
   */
  async resume(tx: Transaction, visibility: Visibility, request: LlmAlertsRequest): Promise<ResumedRuns> {
    const answer = { resumed: 0, remaining: 0 };
    const stages: string[] = [];
    for (const kind of waitingRuns(visibility)) {
      const { runs, others } = await this.resumeKind(tx, visibility, kind, request);
      answer.resumed += runs;
      answer.remaining += others;
      if (runs > 0) stages.push(kind.stage.name);
    }
    return { answer, stages };
  }

  private async resumeKind(
    tx: Transaction,
    visibility: Visibility,
    { stage, from }: WaitingRuns,
    { skillCode, reason }: LlmAlertsRequest,
  ): Promise<{ runs: number; others: number }> {
    const waiting = `${from} and t.reason = any($2::text[]) and ${STATUS} = 'EN_ESPERA'`;
    const isWanted = `($3::text is null or s.skill_code = $3) and ($4::text is null or t.reason = $4)`;
    const reasons = [Object.values(WAITING_REASONS), skillCode, reason && WAITING_REASONS[reason]];
    const params = [tx.groupId, ...reasons, ...visibilitySql(visibility, 'd', VISIBLE_FROM).params];
    const runs = await tx.query<{ workId: string }>(
      `select s.work_id as "workId" from ${waiting} and ${isWanted} order by s.work_id for update of s`,
      params,
    );
    const [others] = await tx.query<{ remaining: number }>(
      `select count(*)::int as remaining from ${waiting} and not (${isWanted})`,
      params,
    );
    const subjects = runs.map(({ workId }) => workId);
    if (subjects.length > 0) await this.tasks.hasten(tx, subjects, stage.name);
    return { runs: runs.length, others: others?.remaining ?? 0 };
  }
}
