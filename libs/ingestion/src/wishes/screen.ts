import type { Say } from '@acervo/platform-service';
import type { Figures } from './figures';

/** Where people see what goes on: lines that stay, and how far the work is at the moment. */
export interface Screen {
  readonly say: Say;
  /** Shows how far the work is; asked again whenever that may have changed. */
  show(figures: Figures): void;
  /** Ends the showing: nothing goes on, or the program ends. */
  clear(): void;
}

/** Lines of progress are said no more often than this. */
const SAY_EVERY_MS = 5_000;

/** Lines alone: for pipes, files and machines. */
export const linesOn = (
  say: Say,
  lineOf: (figures: Figures) => string,
  now: () => number = () => performance.now(),
): Screen => {
  let [said, saidAt] = ['', -Infinity];
  return {
    say,
    show: (figures) => {
      const line = lineOf(figures);
      if (line === said || now() - saidAt < SAY_EVERY_MS) return;
      say(line);
      [said, saidAt] = [line, now()];
    },
    clear: () => {
      [said, saidAt] = ['', -Infinity];
    },
  };
};
