import { HOME_PREFIX, NotFound, registerFolder, startRun } from '@acervo/contracts';
import { type Calls, retryUntilAvailable } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import type { Print } from '../kernel/print';
import { scanLines } from '../terminal/progress/messages';

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
  /** Its code since an earlier scan: the folder is scanned without another registration while the code is valid. */
  readonly locationCode?: string | undefined;
  /** The last printed notice about the folder; the same notice is not printed twice. */
  readonly noticed?: string | null;
  /** Whether the caller has stopped. */
  readonly stopped?: () => boolean;
}

/** Result of a scan: whether work follows from it, and its notice about documents that it left unchanged. */
export interface IngestResult {
  readonly locationCode: string;
  readonly isNews: boolean;
  readonly notice: string | null;
}

type Registering = Pick<IngestRequest, 'folder' | 'entityCode' | 'again'>;

const registered = async (
  calls: Calls,
  scope: WorkScope,
  { folder, entityCode, again = false }: Registering,
): Promise<string> => {
  const root = { path: folder, again, ...(entityCode === undefined ? {} : { entityCode }) };
  return (await calls.send(registerFolder, scope, root)).locationCode;
};

/** Registers and scans one folder, and prints the result. Both calls are idempotent and retried. */
export const ingestFolder = async (
  calls: Calls,
  scope: WorkScope,
  request: IngestRequest,
  print: Print,
): Promise<IngestResult> => {
  const { folder, acceptDeletions, onlyChanges, noticed = null, stopped = () => false } = request;
  const scan = async (locationCode: string) => ({
    locationCode,
    run: await retryUntilAvailable(() => calls.send(startRun, scope, { locationCode, acceptDeletions }), { stopped }),
  });
  const registerAndScan = async () =>
    scan(await retryUntilAvailable(() => registered(calls, scope, request), { stopped }));
  const { locationCode: earlierCode } = request;
  const { locationCode, run } = await (earlierCode === undefined
    ? registerAndScan()
    : scan(earlierCode).catch((error: unknown) => {
        // A user deleted the folder, and may have added it again: the registration decides.
        if (error instanceof NotFound) return registerAndScan();
        throw error;
      }));
  const isNews = run.added + run.changed + run.missing > 0;
  const isNoticed = run.notice !== null && run.notice !== noticed;
  if (!onlyChanges || isNews || isNoticed) scanLines(folder, run).forEach(print);
  if (!onlyChanges)
    print(`  Programs that open its files set ${HOME_PREFIX}${locationCode}=${folder} (docs/search.md).`);
  return { locationCode, isNews, notice: run.notice };
};
