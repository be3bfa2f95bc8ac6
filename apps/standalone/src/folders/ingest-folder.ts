import { registerFolder, startRun } from '@acervo/contracts';
import { type Calls, retryUntilAvailable } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import { scanLines } from '../terminal/progress/messages';

export type Print = (line: string) => void;

/** A folder to ingest. */
export interface IngestRequest {
  readonly folder: string;
  /** Entity of its documents; without it, the folder must be registered already. */
  readonly entityCode: string | undefined;
  /** Accept that documents are gone, even when most are gone at once. */
  readonly acceptDeletions: boolean;
  /** Print nothing about a scan without changes. */
  readonly onlyChanges: boolean;
  /** The user names the folder now: it is ingested even if it was deleted before. */
  readonly again?: boolean;
  /** The last printed notice about the folder; the same notice is not printed twice. */
  readonly noticed?: string | null;
  /** Whether the caller has stopped. */
  readonly stopped?: () => boolean;
}

/** Result of a scan: whether work follows from it, and its notice about documents that it left unchanged. */
export interface IngestResult {
  readonly isNews: boolean;
  readonly notice: string | null;
}

/** Registers and scans one folder, and prints the result. Both calls are idempotent and retried. */
export const ingestFolder = async (
  calls: Calls,
  scope: WorkScope,
  {
    folder,
    entityCode,
    acceptDeletions,
    onlyChanges,
    again = false,
    noticed = null,
    stopped = () => false,
  }: IngestRequest,
  print: Print,
): Promise<IngestResult> => {
  const root = { path: folder, again, ...(entityCode === undefined ? {} : { entityCode }) };
  const { locationCode } = await retryUntilAvailable(() => calls.send(registerFolder, scope, root), { stopped });
  const run = await retryUntilAvailable(() => calls.send(startRun, scope, { locationCode, acceptDeletions }), {
    stopped,
  });
  const isNews = run.added + run.changed + run.missing > 0;
  const isNoticed = run.notice !== null && run.notice !== noticed;
  if (!onlyChanges || isNews || isNoticed) scanLines(folder, run).forEach(print);
  return { isNews, notice: run.notice };
};
