import { Injectable } from '@nestjs/common';
import type { PipelineSummary, Queue, QueueRequest } from '@acervo/contracts';
import { Database, type LocalSettings } from '@acervo/platform-database';
import { isStalled } from '@acervo/platform-queue';
import { type PipelineProcess, pipelineProcess, type QueueStatus } from '@acervo/public-mapping';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { itemOf, type QueueRow, STATUS } from './queue-rows';
import { work } from '../kernel/work-sql';
import { SKILL, SkillQueueStore } from './skill-queue.store';

/** The kind of work of a task. */
const PROCESS = `case t.stage ${pipelineOrder.processes
  .map(({ stage, process }) => `when '${stage.name}' then '${process}'`)
  .join(' ')} end`;

/** The stages of one kind of work, or of all. */
const stagesOf = (wanted: PipelineProcess | undefined): string[] =>
  pipelineOrder.processes
    .filter(({ process }) => wanted === undefined || process === wanted)
    .map(({ stage }) => stage.name);

const DOCUMENT = { group: 'd.group_id', subject: 'd.document_id' } as const;
const WORK = `ingestion.document d ${work.join(DOCUMENT)}`;
/**
 * Statistics of other groups say that this group has one document and one task. A nested loop then compares each with
 * each; a hash or merge join reads both lists once.
 */
const JOINED_ONCE: LocalSettings = { enable_nestloop: 'off' };
/** Starts from the documents of a run: a join of two short lists of an index may compare each with each. */
const WORK_OF_RUN = `ingestion.document d ${work.joinEach(DOCUMENT)}`;

/** A selection of rows; `where` may use the value as $3. */
interface Selection {
  readonly tables?: string;
  readonly stages: readonly string[];
  readonly limit: number;
  readonly where: string;
  /** The parameters after group and stages. */
  readonly values: readonly unknown[];
}

/** The requested tasks; with `run`, those of documents that this run found last. */
interface Asked extends QueueRequest {
  readonly userId: string;
  readonly run?: number | null;
  /** Only runs of skills that the user requested. */
  readonly isOwn?: boolean;
}

const ORPHANED_AFTER_MINUTES = 5;
const IS_ORPHAN = isStalled(ORPHANED_AFTER_MINUTES);

/** Both lists are sorted by their latest change. */
const merged = (steps: Queue, runs: Queue, limit: number): Queue => ({
  items: [...steps.items, ...runs.items].toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt)).slice(0, limit),
  total: steps.total + runs.total,
});

/** Tasks of documents as a caller sees them. */
@Injectable()
export class QueueStore {
  constructor(
    private readonly database: Database,
    private readonly skills: SkillQueueStore,
  ) {}

  async list(visibility: Visibility, request: Asked): Promise<Queue> {
    const { process } = request;
    if (process === SKILL) return this.skills.list(visibility, request);
    const steps = await this.steps(visibility, request);
    if (process !== undefined) return steps;
    return merged(steps, await this.skills.list(visibility, request), request.limit);
  }

  private steps(visibility: Visibility, { process, status, limit, run = null }: Asked): Promise<Queue> {
    const stages = stagesOf(process);
    const where = `($3::text is null or ${STATUS} = $3) and ${run === null ? '$4::int is null' : 'd.run = $4'}`;
    const tables = run === null ? WORK : WORK_OF_RUN;
    return this.select(visibility, { tables, stages, limit, where, values: [status ?? null, run] });
  }

  /** Orphaned tasks of the named stages. */
  orphans(visibility: Visibility, stages: readonly string[], limit: number): Promise<Queue> {
    const where = `$3::text is null and $4::int is null and ${IS_ORPHAN}`;
    return this.select(visibility, { stages, limit, where, values: [null, null] });
  }

  private select(visibility: Visibility, { tables = WORK, stages, limit, where, values }: Selection): Promise<Queue> {
    const visible = visibilitySql(visibility, 'd', 5);
    const from = `from ${tables}
      where d.group_id = $1 and d.deleted_at is null and t.stage = any($2::text[]) and ${where} and ${visible.sql}`;
    const params = [visibility.groupId, stages, ...values, ...visible.params];
    const local = tables === WORK ? JOINED_ONCE : {};
    return this.database.read(
      visibility,
      async (tx) => {
        const [count] = await tx.query<{ total: number }>(`select count(*)::int as total ${from}`, params);
        const rows = await tx.query<QueueRow>(
          `select d.code as "documentCode", d.name as "documentName", ${PROCESS} as process, ${STATUS} as status, t.attempts,
           t.reason, t.created_at as "createdAt", t.updated_at as "updatedAt"
         ${from} order by t.updated_at desc, d.code, t.stage limit ${limit}`,
          params,
        );
        return { items: rows.map(itemOf), total: count?.total ?? 0 };
      },
      local,
    );
  }

  /** All tasks by kind and state. */
  async summary(visibility: Visibility, userId: string): Promise<PipelineSummary> {
    const visible = visibilitySql(visibility, 'd', 2);
    const rows = await this.database.read(
      visibility,
      (tx) =>
        tx.query<{ process: PipelineProcess; status: QueueStatus; pieces: number }>(
          `select ${PROCESS} as process, ${STATUS} as status, count(*)::int as pieces from ${WORK}
           where d.group_id = $1 and d.deleted_at is null and ${visible.sql} group by 1, 2`,
          [visibility.groupId, ...visible.params],
        ),
      JOINED_ONCE,
    );
    const all = [...rows, ...(await this.skills.summary(visibility, userId))];
    const count = (process: string, status: QueueStatus): number =>
      all.find((row) => row.process === process && row.status === status)?.pieces ?? 0;
    const processes = pipelineProcess.internalCodes.map((process) => ({
      process,
      pending: count(process, 'PENDIENTE'),
      inProgress: count(process, 'EN_PROCESO'),
      waiting: count(process, 'EN_ESPERA'),
      completed: count(process, 'COMPLETADO'),
      error: count(process, 'ERROR'),
    }));
    return { processes };
  }
}
