import type { Transaction } from '@acervo/platform-database';
import { takeNumbers } from '../counters/counter.store';
import type { Root } from '../locations/location.store';
import type { ScanSummary } from './scan.service';

/** Writes down a scan that is over; answers its number within the group. */
export const recordRun = async (
  tx: Transaction,
  { root, startedAt, summary }: { root: Root; startedAt: Date; summary: ScanSummary },
): Promise<number> => {
  const run = await takeNumbers(tx, 'run', 1);
  await tx.query(
    `insert into ingestion.run (group_id, run, location_code, started_at, summary) values ($1, $2, $3, $4, $5::jsonb)`,
    [tx.groupId, run, root.code, startedAt, JSON.stringify(summary)],
  );
  return run;
};
