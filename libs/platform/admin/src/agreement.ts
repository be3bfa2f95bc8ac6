import { setTimeout as pause } from 'node:timers/promises';
import { compareStores, reportStores, type StoresReport } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { type Print, AdminCommandFailed } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

/** The outcome of the last comparison of the stores in one line; undefined before the first comparison. */
export const agreementLine = (report: StoresReport): string | undefined => {
  const { finishedAt, documents, objects, differences, copiesUnread } = report;
  if (finishedAt === null) return undefined;
  const unread = copiesUnread === 0 ? '' : `; the copies of ${copiesUnread} in OpenSearch could not be compared`;
  const seen = `${documents} documents and ${objects} objects compared at ${finishedAt}${unread}`;
  if (differences.length === 0) return `The stores agree: ${seen}.`;
  const kinds = differences.map(({ kind, found, repaired }) => `${kind} ${found} (${repaired} repaired)`);
  return `The stores differed: ${kinds.join(', ')}; ${seen}.`;
};

export const printAgreement = async (calls: Calls, scope: WorkScope, print: Print): Promise<void> => {
  const line = agreementLine(await calls.send(reportStores, scope, {}));
  if (line !== undefined) print(line);
};

const EVERY_MS = 1_000;
const PATIENCE_MS = 600_000;

export interface Comparing {
  readonly calls: Calls;
  readonly scope: WorkScope;
  readonly print: Print;
  readonly everyMs?: number;
  readonly patienceMs?: number;
}

/** Waits for the end of a comparison that had not ended at `before`. @throws AdminCommandFailed when it does not end */
const ended = async (
  { calls, scope, everyMs = EVERY_MS, patienceMs = PATIENCE_MS }: Comparing,
  before: string | null,
): Promise<StoresReport> => {
  for (const began = Date.now(); Date.now() - began < patienceMs; await pause(everyMs)) {
    const report = await calls.send(reportStores, scope, {});
    if (report.finishedAt !== before && !report.isRunning) return report;
  }
  throw new AdminCommandFailed('No comparison finished. Check that ingestion and retrieval run; their logs say more.');
};

/** Compares the stores of a group now. @throws AdminCommandFailed for a difference that could not be repaired */
export const compareNow = async (comparing: Comparing): Promise<void> => {
  const { calls, scope, print } = comparing;
  const { finishedAt } = await calls.send(compareStores, scope, {});
  const report = await ended(comparing, finishedAt);
  print(agreementLine(report) ?? '');
  if (report.differences.some(({ found, repaired }) => repaired < found))
    throw new AdminCommandFailed('Not everything could be repaired; the log of ingestion says why.');
};
