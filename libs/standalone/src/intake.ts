import { registerFolder, startRun } from '@acervo/contracts';
import { type Calls, persistently } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import { scanLines } from './progress/sentences';

export type Say = (line: string) => void;

/** A folder to take in. */
export interface Taking {
  readonly folder: string;
  /** Where its documents belong; without it only a folder that is registered already is taken in. */
  readonly entityCode: string | undefined;
  /** Believe that documents are gone, even when most are gone at once. */
  readonly acceptDeletions: boolean;
  /** Say nothing of a scan that found everything as it was. */
  readonly onlyChanges: boolean;
  /** Somebody names it now: it is taken in even where it was deleted. */
  readonly again?: boolean;
  /** What was said last of what the scans of the folder left as it was; said once, however often it is found again. */
  readonly noticed?: string | null;
  /** Whether nobody wants it any more. */
  readonly stopped?: () => boolean;
}

/** What a scan came to: whether work follows from it, and what it left as it was. */
export interface Taken {
  readonly isNews: boolean;
  readonly notice: string | null;
}

/** Registers and scans one folder, and says what it found. Both may be repeated. */
export const takeIn = async (
  calls: Calls,
  scope: WorkScope,
  { folder, entityCode, acceptDeletions, onlyChanges, again = false, noticed = null, stopped = () => false }: Taking,
  say: Say,
): Promise<Taken> => {
  const root = { path: folder, again, ...(entityCode === undefined ? {} : { entityCode }) };
  const { locationCode } = await persistently(() => calls.send(registerFolder, scope, root), { stopped });
  const run = await persistently(() => calls.send(startRun, scope, { locationCode, acceptDeletions }), { stopped });
  const isNews = run.added + run.changed + run.missing > 0;
  const isNoticed = run.notice !== null && run.notice !== noticed;
  if (!onlyChanges || isNews || isNoticed) scanLines(folder, run).forEach(say);
  return { isNews, notice: run.notice };
};
