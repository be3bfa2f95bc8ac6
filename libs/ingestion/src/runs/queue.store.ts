import type { PipelineSummary, Queue, QueueItem, QueueRequest } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import { type PipelineProcess, pipelineProcess, type QueueStatus } from '@acervo/public-mapping';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { documentStages } from '../pipeline/stages';

/** A piece of work that has to wait before it may begin is EN_ESPERA. */
const STATUS = `case t.status when 'LEASED' then 'EN_PROCESO' when 'DONE' then 'COMPLETADO' when 'FAILED' then 'ERROR'
  else case when t.not_before > now() then 'EN_ESPERA' else 'PENDIENTE' end end`;

/** Which rows; `where` may name the value as $3. */
interface Selection {
  readonly stages: readonly string[];
  readonly limit: number;
  readonly where: string;
  /** Of the parameters that stand after group and stages. */
  readonly values: readonly unknown[];
}

interface Row extends Omit<QueueItem, 'createdAt' | 'updatedAt'> {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Which work is asked for; `run`: only that of documents that this run last found to do. */
interface Asked extends QueueRequest {
  readonly run?: number | null;
}
/** Work that could begin, and that nobody has had in hand for five minutes. */
const LEFT_ALONE = `(t.status = 'WAITING' and greatest(t.not_before, t.updated_at) < now() - interval '5 minutes'
  or t.status = 'LEASED' and t.leased_until < now() - interval '5 minutes')`;

/** The work on documents as a caller sees it. */
export class QueueStore {
  constructor(private readonly database: Database) {}

  list(visibility: Visibility, { process, status, limit, run = null }: Asked): Promise<Queue> {
    const stages = process === undefined ? documentStages.map(({ name }) => name) : [process];
    const where = `($3::text is null or ${STATUS} = $3) and ($4::int is null or d.run = $4)`;
    return this.select(visibility, { stages, limit, where, values: [status ?? null, run] });
  }

  /** Of the named stages. */
  orphans(visibility: Visibility, stages: readonly string[], limit: number): Promise<Queue> {
    const where = `$3::text is null and $4::int is null and ${LEFT_ALONE}`;
    return this.select(visibility, { stages, limit, where, values: [null, null] });
  }

  private select(visibility: Visibility, { stages, limit, where, values }: Selection): Promise<Queue> {
    const visible = visibilitySql(visibility, 'd', 5);
    const from = `from ingestion.task t
      join ingestion.document d on d.group_id = t.group_id and d.document_id = t.subject_id and d.deleted_at is null
      where t.group_id = $1 and t.stage = any($2::text[]) and ${where} and ${visible.sql}`;
    const params = [visibility.groupId, stages, ...values, ...visible.params];
    return this.database.read(visibility, async (tx) => {
      const [count] = await tx.query<{ total: number }>(`select count(*)::int as total ${from}`, params);
      const rows = await tx.query<Row>(
        `select d.code as "documentCode", d.name as "documentName", t.stage as process, ${STATUS} as status, t.attempts,
           t.reason, t.created_at as "createdAt", t.updated_at as "updatedAt"
         ${from} order by t.updated_at desc, d.code, t.stage limit ${limit}`,
        params,
      );
      const items = rows.map(({ createdAt, updatedAt, ...row }) => ({
        ...row,
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      }));
      return { items, total: count?.total ?? 0 };
    });
  }

  /** All of it by kind and state. */
  async summary(visibility: Visibility): Promise<PipelineSummary> {
    const visible = visibilitySql(visibility, 'd', 2);
    const rows = await this.database.read(visibility, (tx) =>
      tx.query<{ process: PipelineProcess; status: QueueStatus; pieces: number }>(
        `select t.stage as process, ${STATUS} as status, count(*)::int as pieces from ingestion.task t
         join ingestion.document d on d.group_id = t.group_id and d.document_id = t.subject_id and d.deleted_at is null
         where t.group_id = $1 and ${visible.sql} group by 1, 2`,
        [visibility.groupId, ...visible.params],
      ),
    );
    const count = (process: string, status: QueueStatus): number =>
      rows.find((row) => row.process === process && row.status === status)?.pieces ?? 0;
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
