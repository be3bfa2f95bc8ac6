import { setTimeout as pause } from 'node:timers/promises';
import { ingestionProgress, type IngestionProgress, registerFolder, startRun } from '@acervo/contracts';
import { figuresOf, type Pace } from '@acervo/ingestion';
import { type Calls, persistently } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import type { Screen } from './progress/screen';
import { scanLines } from './progress/sentences';

export type Say = (line: string) => void;

/** How far the work is is asked this often. */
const EVERY_MS = 1_000;

/** A folder to take in. */
export interface Taking {
  readonly folder: string;
  readonly entityCode: string;
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
  const root = { path: folder, entityCode, again };
  const { locationCode } = await persistently(() => calls.send(registerFolder, scope, root), { stopped });
  const run = await persistently(() => calls.send(startRun, scope, { locationCode, acceptDeletions }), { stopped });
  const isNews = run.added + run.changed + run.missing > 0;
  const isNoticed = run.notice !== null && run.notice !== noticed;
  if (!onlyChanges || isNews || isNoticed) scanLines(folder, run).forEach(say);
  return { isNews, notice: run.notice };
};

/** Shows how the ingestion goes on until nothing waits any more; answers what there is then, unless it was stopped. */
export const followIngestion = async (
  calls: Calls,
  scope: WorkScope,
  { screen, pace, stopped }: { readonly screen: Screen; readonly pace: Pace; stopped(): boolean },
): Promise<IngestionProgress | undefined> => {
  try {
    while (!stopped()) {
      const progress = await calls.send(ingestionProgress, scope, {}).catch(() => undefined);
      if (progress?.waiting === 0) return progress;
      if (progress !== undefined) {
        pace.note(performance.now(), figuresOf(progress).done);
        screen.show(figuresOf(progress, pace.perSecond));
      }
      await pause(EVERY_MS);
    }
    return undefined;
  } finally {
    screen.clear();
  }
};
