import { NotFound, type Run } from '@acervo/contracts';
import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { takeNumbers } from '../counters/counter.store';
import type { Root } from '../locations/location.store';
import { cancelledAfter, type ScanSummary, unscanned } from './scan-summary';
import { ScanCancelled } from './scan-turns';

/** A run as a worker takes it up. */
export interface PlannedRun {
  readonly run: number;
  readonly locationCode: string;
  readonly acceptDeletions: boolean;
}

/** What work is not over; finished pieces keep their rows. */
export const OPEN = `t.status in ('WAITING', 'LEASED')`;

/** Runs of a root that are remembered. */
const KEPT = 500;
const FORGOTTEN_AT_ONCE = 40;

/** Whoever waits for the turn of a run says so this often; after three times as long nobody does any more. */
export const AWAITED_EVERY_MS = 5_000;
export const ABANDONED = `now() - interval '${3 * AWAITED_EVERY_MS} ms'`;

const BROKEN_OFF = unscanned('The scan failed and was broken off; the next scan of the folder goes on.');

const LIST = `select r.run, r.location_code as "locationCode",
  case when r.cancelled then 'CANCELADO' when r.started_at is null then 'PENDIENTE' when r.summary is null then 'ESCANEANDO'
    when w.waiting > 0 then 'EN_PROCESO' else 'COMPLETADO' end as status,
  coalesce((r.summary ->> 'seen')::int, 0) as seen, coalesce((r.summary ->> 'added')::int, 0) as added,
  coalesce((r.summary ->> 'changed')::int, 0) as changed, coalesce((r.summary ->> 'missing')::int, 0) as missing,
  coalesce((select sum((i ->> 'entries')::int) from jsonb_array_elements(r.summary -> 'ignored') i), 0)::int as ignored,
  w.waiting, r.summary ->> 'notice' as notice, coalesce(r.started_at, r.created_at) as "startedAt",
  r.finished_at as "scannedAt"
  from ingestion.run r join ingestion.location l on l.group_id = r.group_id and l.code = r.location_code
  cross join lateral (select count(distinct d.document_id)::int as waiting from ingestion.document d
    join ingestion.task t on t.group_id = d.group_id and t.subject_id = d.document_id and ${OPEN}
    where d.group_id = r.group_id and d.run = r.run) w`;

interface Row extends Omit<Run, 'startedAt' | 'scannedAt'> {
  readonly startedAt: Date;
  readonly scannedAt: Date | null;
}

/** Runs: one scan of one root each, with the work that follows from it. */
export class RunStore {
  constructor(private readonly database: Database) {}

  /** Writes down that a root is to be scanned; answers the number of the run and what stands for it among the tasks. */
  async plan(
    tx: Transaction,
    root: Pick<Root, 'code'>,
    acceptDeletions: boolean,
  ): Promise<{ run: number; runId: string }> {
    const run = await takeNumbers(tx, 'run', 1);
    const [row] = await tx.query<{ runId: string }>(
      `insert into ingestion.run (group_id, run, location_code, accept_deletions) values ($1, $2, $3, $4)
       returning run_id as "runId"`,
      [tx.groupId, run, root.code, acceptDeletions],
    );
    if (row === undefined) throw new Error('A run was written and is not there.');
    return { run, runId: row.runId };
  }

  /** A run that is scanned by whoever asks, without a task. */
  async open(scope: TenantScope, root: Root, acceptDeletions: boolean): Promise<number> {
    const { run } = await this.database.write(scope, (tx) => this.plan(tx, root, acceptDeletions));
    return run;
  }

  /** Somebody still waits for the turn of a run. */
  async awaited(scope: TenantScope, run: number): Promise<void> {
    await this.database.write(scope, (tx) =>
      tx.query('update ingestion.run set awaited_at = now() where group_id = $1 and run = $2', [tx.groupId, run]),
    );
  }

  /** The run behind a task; undefined when it was cancelled. */
  async planned(scope: TenantScope, runId: string): Promise<PlannedRun | undefined> {
    const [row] = await this.database.read(scope, (tx) =>
      tx.query<PlannedRun>(
        `select run, location_code as "locationCode", accept_deletions as "acceptDeletions" from ingestion.run
         where group_id = $1 and run_id = $2 and not cancelled`,
        [scope.groupId, runId],
      ),
    );
    return row;
  }

  /**
   * The turn of a run has come, and it begins. Runs that began on the same root before and are not over were
   * interrupted, unless a task goes on with them; so were those whose turn nobody waits for any more. @throws ScanCancelled for a run that was cancelled while it waited.
   */
  async begin(tx: Transaction, root: Pick<Root, 'code'>, run: number): Promise<void> {
    const begun = await tx.query(
      `update ingestion.run set started_at = now(), finished_at = null, summary = null
       where group_id = $1 and run = $2 and not cancelled returning run`,
      [tx.groupId, run],
    );
    if (begun.length === 0) throw new ScanCancelled();
    await tx.query(
      `update ingestion.run r set summary = $4::jsonb, finished_at = now(), started_at = coalesce(started_at, created_at)
       where r.group_id = $1 and r.location_code = $2 and r.run <> $3 and r.summary is null and not r.cancelled
         and (r.started_at is not null or r.awaited_at < ${ABANDONED})
         and not exists (select from ingestion.task t where t.group_id = r.group_id and t.subject_id = r.run_id and ${OPEN})`,
      [tx.groupId, root.code, run, JSON.stringify(unscanned(`The scan was interrupted; run ${run} went on.`))],
    );
    await this.forgetOld(tx, root);
  }

  /** A root is scanned many times a day for years. What still has work waiting can be advanced or cancelled, and stays. */
  private async forgetOld(tx: Transaction, root: Pick<Root, 'code'>): Promise<void> {
    await tx.query(
      `delete from ingestion.run r where r.group_id = $1 and (r.summary is not null or r.cancelled) and r.run in (
           select run from ingestion.run where group_id = $1 and location_code = $2
           order by run desc offset ${KEPT} limit ${FORGOTTEN_AT_ONCE})
         and not exists (select from ingestion.document d
           join ingestion.task t on t.group_id = d.group_id and t.subject_id = d.document_id and ${OPEN}
           where d.group_id = r.group_id and d.run = r.run)`,
      [tx.groupId, root.code],
    );
  }

  /** Ends a run whose scan failed, unless that is done. Where the database is away, the next scan of the root does it. */
  async breakOff(scope: TenantScope, run: number): Promise<void> {
    const ending = this.database.write(scope, (tx) =>
      tx.query(
        `update ingestion.run set summary = $3::jsonb, finished_at = now(), started_at = coalesce(started_at, created_at)
         where group_id = $1 and run = $2 and summary is null`,
        [tx.groupId, run, JSON.stringify(BROKEN_OFF)],
      ),
    );
    await ending.catch(() => undefined);
  }

  async finish(tx: Transaction, run: number, summary: ScanSummary): Promise<void> {
    await tx.query(
      `update ingestion.run set summary = $3::jsonb, finished_at = now(), started_at = coalesce(started_at, created_at)
       where group_id = $1 and run = $2`,
      [tx.groupId, run, JSON.stringify(summary)],
    );
  }

  /** The latest runs over locations that are visible. */
  async list(visibility: Visibility, limit: number): Promise<Run[]> {
    const visible = visibilitySql(visibility, 'l', 2);
    const rows = await this.database.read(visibility, (tx) =>
      tx.query<Row>(`${LIST} where r.group_id = $1 and ${visible.sql} order by r.run desc limit ${limit}`, [
        visibility.groupId,
        ...visible.params,
      ]),
    );
    return rows.map(({ startedAt, scannedAt, ...row }) => ({
      ...row,
      startedAt: startedAt.toISOString(),
      scannedAt: scannedAt?.toISOString() ?? null,
    }));
  }

  /** Holds a visible run until the end of the transaction. @throws NotFound */
  async hold(tx: Transaction, visibility: Visibility, run: number): Promise<{ runId: string }> {
    const visible = visibilitySql(visibility, 'l', 3);
    const [row] = await tx.query<{ runId: string }>(
      `select r.run_id as "runId" from ingestion.run r
       join ingestion.location l on l.group_id = r.group_id and l.code = r.location_code
       where r.group_id = $1 and r.run = $2 and ${visible.sql} for update of r`,
      [tx.groupId, run, ...visible.params],
    );
    if (row === undefined) throw new NotFound();
    return row;
  }

  /** Documents of a visible run that still have work waiting. @throws NotFound */
  async documentsAtWork(visibility: Visibility, run: number): Promise<number> {
    const visible = visibilitySql(visibility, 'l', 3);
    const [row] = await this.database.read(visibility, (tx) =>
      tx.query<{ documents: number }>(
        `select (select count(*)::int from ingestion.document d where d.group_id = r.group_id and d.run = r.run
         and exists (select from ingestion.task t
           where t.group_id = d.group_id and t.subject_id = d.document_id and ${OPEN})) as documents
       from ingestion.run r
       join ingestion.location l on l.group_id = r.group_id and l.code = r.location_code
       where r.group_id = $1 and r.run = $2 and ${visible.sql}`,
        [tx.groupId, run, ...visible.params],
      ),
    );
    if (row === undefined) throw new NotFound();
    return row.documents;
  }

  /**
   * Marks a run as cancelled, ends its scan where one is at work, and leaves its documents to be taken up again by the
   * next scan; answers their ids. A scan writes nothing more from then on but what it had done.
   */
  async cancel(tx: Transaction, run: number): Promise<string[]> {
    await tx.query(
      `update ingestion.run set cancelled = true,
         summary = case when started_at is null then summary else coalesce(summary, $3::jsonb) end,
         finished_at = case when started_at is null then finished_at else coalesce(finished_at, now()) end
       where group_id = $1 and run = $2`,
      [tx.groupId, run, JSON.stringify(cancelledAfter({}))],
    );
    const rows = await tx.query<{ id: string }>(
      `update ingestion.document d set retry_on_scan = true, failed_at = null,
         reason = 'The run was cancelled; the next scan goes on.', updated_at = now()
       where d.group_id = $1 and d.run = $2 and exists (select from ingestion.task t
         where t.group_id = d.group_id and t.subject_id = d.document_id and ${OPEN})
       returning d.document_id as id`,
      [tx.groupId, run],
    );
    return rows.map(({ id }) => id);
  }

  /** Gives the documents of a run their place among what waits; answers the ids of those that have work waiting. */
  async order(tx: Transaction, run: number, order: number): Promise<string[]> {
    await tx.query(
      `update ingestion.document set ingestion_order = $3, updated_at = now()
       where group_id = $1 and run = $2 and deleted_at is null`,
      [tx.groupId, run, order],
    );
    const rows = await tx.query<{ id: string }>(
      `select d.document_id as id from ingestion.document d where d.group_id = $1 and d.run = $2 and exists (
         select from ingestion.task t where t.group_id = d.group_id and t.subject_id = d.document_id and ${OPEN})`,
      [tx.groupId, run],
    );
    return rows.map(({ id }) => id);
  }
}
