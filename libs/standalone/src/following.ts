import { setTimeout as pause } from 'node:timers/promises';
import { type Figures, figuresOf, type Pace, together } from '@acervo/ingestion';
import type { GroupProgress } from './groups';
import type { Screen } from './progress/screen';

/** How far the work is is asked this often. */
const EVERY_MS = 1_000;

export interface Following {
  /** How far the documents of each group are now. */
  ask(): Promise<readonly GroupProgress[]>;
  readonly screen: Screen;
  readonly pace: Pace;
  stopped(): boolean;
}

/** What all groups come to, as people are shown it. */
export const figuresTogether = (all: readonly GroupProgress[], perSecond: number | null = null): Figures =>
  figuresOf(together(all.map(({ progress }) => progress)), perSecond);

/** Shows how the ingestion goes on until nothing waits any more; answers what there is then, unless it was stopped. */
export const followIngestion = async ({
  ask,
  screen,
  pace,
  stopped,
}: Following): Promise<readonly GroupProgress[] | undefined> => {
  try {
    while (!stopped()) {
      const all = await ask().catch(() => undefined);
      if (all?.every(({ progress }) => progress.waiting === 0) === true) return all;
      if (all !== undefined) {
        pace.note(performance.now(), figuresTogether(all).done);
        screen.show(figuresTogether(all, pace.perSecond));
      }
      await pause(EVERY_MS);
    }
    return undefined;
  } finally {
    screen.clear();
  }
};
