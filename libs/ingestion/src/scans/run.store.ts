import { Injectable } from '@nestjs/common';
import { NotFound, type Run } from '@acervo/contracts';
import {
  BackgroundDatabase,
  countSelected,
  type Selection,
  type TenantScope,
  type Transaction,
} from '@acervo/platform-database';
import { WorkStore } from '@acervo/platform-queue';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { takeNumbers } from '../counters/counter.store';
import type { Root } from '../locations/location.store';
import { work } from '../kernel/work-sql';
import { cancelledAfter, type ScanSummary, unscanned } from './scan-summary';
import { ScanCancelled } from './scan-locks';

/** A run for a worker. */
export interface PlannedRun {
  readonly run: number;
  readonly locationCode: string;
  readonly acceptDeletions: boolean;
  /** Whether it looks for pages; the other runs of a web location fetch them. */
  readonly research: boolean;
}

/** A condition on a run `r`: its scan waits or runs. */
export const RUN_HAS_OPEN_WORK = work.hasOpen({ group: 'r.group_id', subject: 'r.run_id' });

const DOCUMENT = { group: 'd.group_id', subject: 'd.document_id' } as const;
const HAS_OPEN_WORK = work.hasOpen(DOCUMENT);

/** Most runs that are kept per root. */
const MOST_KEPT_RUNS = 500;
const FORGOTTEN_AT_ONCE = 40;

/** Waiters for the scan lock of a run refresh their place this often; a place three times as old is expired. */
export const AWAITED_EVERY_MS = 5_000;
export const EXPIRED = `now() - interval '${3 * AWAITED_EVERY_MS} ms'`;

const BROKEN_OFF = unscanned('The scan failed and was stopped; the next scan of the folder continues.');

/** Starts from the open tasks: a run may have many documents, and few of them wait. */
const WAITING = `select w.run, count(distinct w.id)::int as documents
  from (select t.subject_id as id, (select d.run from ingestion.document d
      where d.group_id = t.group_id and d.document_id = t.subject_id) as run
    ${work.fromOpen({ group: '$1' })}) w group by w.run`;

const LIST = `with waiting as materialized (${WAITING})
  select r.run, r.location_code as "locationCode",
  case when r.cancelled then 'CANCELADO' when r.started_at is null then 'PENDIENTE' when r.summary is null then 'ESCANEANDO'
    when w.waiting > 0 then 'EN_PROCESO' else 'COMPLETADO' end as status,
  coalesce((r.summary ->> 'seen')::int, 0) as seen, coalesce((r.summary ->> 'added')::int, 0) as added,
  coalesce((r.summary ->> 'changed')::int, 0) as changed, coalesce((r.summary ->> 'missing')::int, 0) as missing,
  coalesce((select sum((i ->> 'entries')::int) from jsonb_array_elements(r.summary -> 'ignored') i), 0)::int as ignored,
  w.waiting, r.summary ->> 'notice' as notice, coalesce(r.started_at, r.created_at) as "startedAt",
  r.finished_at as "scannedAt"
  from ingestion.run r join ingestion.location l on l.group_id = r.group_id and l.code = r.location_code
  cross join lateral (select coalesce((select w.documents from waiting w where w.run = r.run), 0) as waiting) w`;

interface Row extends Omit<Run, 'startedAt' | 'scannedAt'> {
  readonly startedAt: Date;
  readonly scannedAt: Date | null;
}

/** Runs: one scan of one root each, with the work that follows from it. */
@Injectable()
export class RunStore {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly workStore: WorkStore,
  ) {}

  /** Records a requested scan of a root; answers the number of the run and the subject of its task. */
  async plan(
    tx: Transaction,
    root: Pick<Root, 'code'>,
    acceptDeletions: boolean,
    research = false,
  ): Promise<{ run: number; runId: string }> {
    const run = await takeNumbers(tx, 'run', 1);
    const [row] = await tx.query<{ runId: string }>(
      `insert into ingestion.run (group_id, run, location_code, accept_deletions, research) values ($1, $2, $3, $4, $5)
       returning run_id as "runId"`,
      [tx.groupId, run, root.code, acceptDeletions, research],
    );
    if (row === undefined) throw new Error('A run was written and is not there.');
    return { run, runId: row.runId };
  }

  /** The run of research of a web location that is not over; undefined without one. */
  async openResearch(tx: Transaction, { code }: Pick<Root, 'code'>): Promise<number | undefined> {
    const [row] = await tx.query<{ run: number }>(
      `select r.run from ingestion.run r where r.group_id = $1 and r.location_code = $2 and r.research
         and not r.cancelled and r.summary is null and ${RUN_HAS_OPEN_WORK} order by r.run desc limit 1`,
      [tx.groupId, code],
    );
    return row?.run;
  }

  /** Records a run that its caller scans, without a task. */
  async open(scope: TenantScope, root: Root, acceptDeletions: boolean): Promise<number> {
    const { run } = await this.database.write(scope, (tx) => this.plan(tx, root, acceptDeletions));
    return run;
  }

  /** Refreshes the place of a caller that waits for the scan lock of a run. */
  async awaited(scope: TenantScope, run: number): Promise<void> {
    await this.database.write(scope, (tx) =>
      tx.query('update ingestion.run set awaited_at = now() where group_id = $1 and run = $2', [tx.groupId, run]),
    );
  }

  /** The run behind a task; undefined when it was cancelled. */
  async planned(scope: TenantScope, runId: string): Promise<PlannedRun | undefined> {
    const [row] = await this.database.read(scope, (tx) =>
      tx.query<PlannedRun>(
        `select run, location_code as "locationCode", accept_deletions as "acceptDeletions", research from ingestion.run
         where group_id = $1 and run_id = $2 and not cancelled`,
        [scope.groupId, runId],
      ),
    );
    return row;
  }

  /**
   * Begins a run under the scan lock. Earlier runs of the root without an end were interrupted, unless they have an
   * open task. So were runs whose waiters have expired.
   * @throws ScanCancelled for a run that was cancelled while it waited
   */
  async begin(tx: Transaction, root: Pick<Root, 'code'>, run: number): Promise<void> {
    const begun = await tx.query(
      `update ingestion.run set started_at = case when summary is null then coalesce(started_at, now()) else now() end,
         finished_at = null, summary = null
       where group_id = $1 and run = $2 and not cancelled returning run`,
      [tx.groupId, run],
    );
    if (begun.length === 0) throw new ScanCancelled();
    await tx.query(
      `update ingestion.run r set summary = $4::jsonb, finished_at = now(), started_at = coalesce(started_at, created_at)
       where r.group_id = $1 and r.location_code = $2 and r.run <> $3 and r.summary is null and not r.cancelled
         and (r.started_at is not null or r.awaited_at < ${EXPIRED})
         and not ${RUN_HAS_OPEN_WORK}`,
      [tx.groupId, root.code, run, JSON.stringify(unscanned(`The scan was interrupted; run ${run} continued it.`))],
    );
    await this.forgetOld(tx, root);
  }

  /**
   * Deletes old runs: a root is scanned many times a day for years. Runs with open work stay, because users can advance
   * or cancel them.
   */
  private async forgetOld(tx: Transaction, root: Pick<Root, 'code'>): Promise<void> {
    await tx.query(
      `delete from ingestion.run r where r.group_id = $1 and (r.summary is not null or r.cancelled) and r.run in (
           select run from ingestion.run where group_id = $1 and location_code = $2
           order by run desc offset ${MOST_KEPT_RUNS} limit ${FORGOTTEN_AT_ONCE})
         and not exists (select from ingestion.document d
           where d.group_id = r.group_id and d.run = r.run and ${HAS_OPEN_WORK})`,
      [tx.groupId, root.code],
    );
  }

  /**
   * Ends a run whose scan failed, unless it has ended. Where the database is away, the next scan of the root ends it.
   */
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

  /** The latest runs of visible locations. */
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

  /** Locks a visible run until the end of the transaction. @throws NotFound */
  lockForUpdate(tx: Transaction, visibility: Visibility, run: number): Promise<{ runId: string }> {
    return this.find(tx, visibility, run, 'for update of r');
  }

  /** Documents of a run with open work: a cancellation leaves them to the next scan, its preview counts them. */
  selectAffected({ groupId }: Transaction, run: number): Selection<'documents'> {
    const where = `d.group_id = $1 and d.run = $2 and ${HAS_OPEN_WORK}`;
    return { rows: { documents: { from: 'ingestion.document d', where } }, params: [groupId, run] };
  }

  /** How many documents the cancellation of a visible run affects. @throws NotFound */
  documentsAtWork(visibility: Visibility, run: number): Promise<number> {
    return this.database.read(visibility, async (tx) => {
      await this.find(tx, visibility, run);
      return (await countSelected(tx, this.selectAffected(tx, run))).documents;
    });
  }

  /**
   * Marks a run as cancelled, ends its scan, and deletes the open tasks of run and documents. The next scan resumes the
   * documents. Answers the number of affected documents. The scan writes only its summary from then on.
   */
  async cancel(tx: Transaction, run: number, runId: string): Promise<number> {
    await tx.query(
      `update ingestion.run set cancelled = true,
         summary = case when started_at is null then summary else coalesce(summary, $3::jsonb) end,
         finished_at = case when started_at is null then finished_at else coalesce(finished_at, now()) end
       where group_id = $1 and run = $2`,
      [tx.groupId, run, JSON.stringify(cancelledAfter({}))],
    );
    const { rows, params } = this.selectAffected(tx, run);
    const { from, where } = rows.documents;
    const stopped = await tx.query<{ id: string }>(
      `update ${from} set retry_on_scan = true, failed_at = null,
         reason = 'The run was cancelled; the next scan continues.', updated_at = now()
       where ${where} returning d.document_id as id`,
      params,
    );
    await this.workStore.cancel(tx, [runId, ...stopped.map(({ id }) => id)]);
    return stopped.length;
  }

  /** Sets the order of a run's documents in the queue; answers the ids of those with open work. */
  async order(tx: Transaction, run: number, order: number): Promise<string[]> {
    await tx.query(
      `update ingestion.document set ingestion_order = $3, updated_at = now()
       where group_id = $1 and run = $2 and deleted_at is null`,
      [tx.groupId, run, order],
    );
    const rows = await tx.query<{ id: string }>(
      `select d.document_id as id from ingestion.document d where d.group_id = $1 and d.run = $2
         and ${HAS_OPEN_WORK}`,
      [tx.groupId, run],
    );
    return rows.map(({ id }) => id);
  }

  private async find(
    tx: Transaction,
    visibility: Visibility,
    run: number,
    lockClause = '',
  ): Promise<{ runId: string }> {
    const visible = visibilitySql(visibility, 'l', 3);
    const [row] = await tx.query<{ runId: string }>(
      `select r.run_id as "runId" from ingestion.run r
       join ingestion.location l on l.group_id = r.group_id and l.code = r.location_code
       where r.group_id = $1 and r.run = $2 and ${visible.sql} ${lockClause}`,
      [tx.groupId, run, ...visible.params],
    );
    if (row === undefined) throw new NotFound();
    return row;
  }
}
