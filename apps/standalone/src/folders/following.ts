import { setTimeout as pause } from 'node:timers/promises';
import { type Figures, figuresOf, type Pace, together } from '@acervo/platform-admin';
import type { GroupProgress } from './groups';
import type { Screen } from '../terminal/progress/screen';

/** Interval of the progress requests. */
const EVERY_MS = 1_000;

export interface Following {
  /** Progress of the ingestion, per group. */
  ask(): Promise<readonly GroupProgress[]>;
  readonly screen: Screen;
  readonly pace: Pace;
  stopped(): boolean;
}

/** The sum of the figures of all groups. */
export const figuresTogether = (all: readonly GroupProgress[], perSecond: number | null = null): Figures =>
  figuresOf(together(all.map(({ progress }) => progress)), perSecond);

/** Shows the progress until no work waits; returns the final progress, or undefined after a stop. */
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
