import { Injectable } from '@nestjs/common';
import type { StoresReport } from '@acervo/contracts';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { WorkStore } from '@acervo/platform-queue';
import { QUOTA, upkeepStages } from '../kernel/stages';
import type { Suspicion } from './differences';

/** Found and repaired differences, by kind. */
export type Tally = Readonly<Record<string, readonly [found: number, repaired: number]>>;

/** A running comparison: its position, and its findings so far. */
export interface Pass {
  readonly phase: 'waiting' | 'documents' | 'confirming' | 'objects';
  /** Documents after this one remain to be compared; null when all are. */
  readonly after: string | null;
  readonly isThrough: boolean;
  readonly suspected: readonly Suspicion[];
  readonly part: number;
  readonly documents: number;
  readonly objects: number;
  /** Documents whose copies could not be checked. */
  readonly copiesUnread: number;
  readonly tally: Tally;
  /** How often it was postponed because of other work. */
  readonly postponed: number;
}

export const NEW_PASS: Pass = {
  ...({ phase: 'waiting', after: null, isThrough: false, suspected: [], part: 0 } as const),
  ...{ documents: 0, objects: 0, copiesUnread: 0, tally: {}, postponed: 0 },
};

export const counted = (tally: Tally, kind: string, found: number, repaired: number): Tally => {
  const [foundBefore, repairedBefore] = tally[kind] ?? [0, 0];
  if (found === 0 && repaired === 0) return tally;
  return { ...tally, [kind]: [foundBefore + found, repairedBefore + repaired] };
};

const NO_REPORT: StoresReport = {
  ...{ finishedAt: null, isRunning: false },
  ...{ documents: 0, objects: 0, copiesUnread: 0, differences: [] },
};

/** The position of the comparison of a group, and the report of the last one. */
@Injectable()
export class ReconciliationStore {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly workStore: WorkStore,
  ) {}

  async pass(scope: TenantScope): Promise<Pass> {
    const [row] = await this.database.read(scope, (tx) =>
      tx.query<{ pass: Pass }>(`select pass from ingestion.reconciliation where group_id = $1`, [scope.groupId]),
    );
    return { ...NEW_PASS, ...row?.pass };
  }

  /** Stores the position; with a report, the comparison has ended. */
  async keep(
    tx: Transaction,
    pass: Pass,
    report: Omit<StoresReport, 'isRunning' | 'finishedAt'> | null,
  ): Promise<void> {
    await tx.query(
      `insert into ingestion.reconciliation as r (group_id, pass, report, finished_at)
       values ($1, $2::jsonb, $3::jsonb, case when $3::jsonb is null then null else now() end)
       on conflict (group_id) do update set pass = excluded.pass, report = coalesce(excluded.report, r.report),
         finished_at = coalesce(excluded.finished_at, r.finished_at)`,
      [tx.groupId, JSON.stringify(pass), report === null ? null : JSON.stringify(report)],
    );
  }

  async report(tx: Transaction): Promise<StoresReport> {
    const [row] = await tx.query<{
      pass: Pass;
      report: Omit<StoresReport, 'isRunning'> | null;
      finishedAt: Date | null;
    }>(`select pass, report, finished_at as "finishedAt" from ingestion.reconciliation where group_id = $1`, [
      tx.groupId,
    ]);
    if (row === undefined) return NO_REPORT;
    const isRunning = row.pass.phase !== 'waiting';
    return { ...NO_REPORT, ...row.report, isRunning, finishedAt: row.finishedAt?.toISOString() ?? null };
  }

  /** Whether any document is in the pipeline, or other work waits; documents that wait for free pages rest. */
  hasOtherWork(scope: TenantScope): Promise<boolean> {
    return this.workStore.hasOpenBeside(scope, upkeepStages, QUOTA);
  }
}
