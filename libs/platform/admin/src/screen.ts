import type { Print } from '@acervo/platform-service';
import type { Figures } from './figures';

/** Where users see the progress: lines that stay, and the figures of the moment. */
export interface Screen {
  readonly print: Print;
  /** Shows the current figures; called again whenever they may have changed. */
  show(figures: Figures): void;
  /** Removes the figures: no work goes on, or the program ends. */
  clear(): void;
}

/** Lines of progress are printed at most this often. */
const PRINT_EVERY_MS = 5_000;

/** Prints lines only: for pipes, files and machines. */
export const linesOn = (
  print: Print,
  lineOf: (figures: Figures) => string,
  now: () => number = () => performance.now(),
): Screen => {
  let [printed, printedAt] = ['', -Infinity];
  return {
    print,
    show: (figures) => {
      const line = lineOf(figures);
      if (line === printed || now() - printedAt < PRINT_EVERY_MS) return;
      print(line);
      [printed, printedAt] = [line, now()];
    },
    clear: () => {
      [printed, printedAt] = ['', -Infinity];
    },
  };
};
