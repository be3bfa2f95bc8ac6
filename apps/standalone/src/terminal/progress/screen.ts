import { MultiBar } from 'cli-progress';
import { type Figures, linesOn, type Screen } from '@acervo/platform-admin/progress';
import type { Print } from '../../kernel/print';
import { barLine, progressLine } from './messages';

export type { Screen };

/** A screen of lines only: for pipes, files and machines. */
export const plainScreen = (print: Print, now?: () => number): Screen => linesOn(print, progressLine, now);

/** The stream that a bar is drawn on. */
export type Terminal = NodeJS.WriteStream;

/** A bar below the lines, drawn again in its place. */
export const barScreen = (terminal: Terminal): Screen => {
  let bars: MultiBar | undefined;
  let shown: ReturnType<MultiBar['create']> | undefined;
  const begin = (figures: Figures): void => {
    bars = new MultiBar({
      stream: terminal,
      format: (_options, _params, payload: { figures: Figures }) => barLine(payload.figures, terminal.columns),
      fps: 5,
      clearOnComplete: true,
      // A killed program leaves the cursor as it was; another handler receives Ctrl-C.
      hideCursor: null,
      linewrap: true,
      gracefulExit: false,
      forceRedraw: true,
    });
    shown = bars.create(Math.max(1, figures.total), figures.done, { figures });
  };
  return {
    print: (line) => {
      if (bars === undefined) return void terminal.write(`${line}\n`);
      bars.log(`${line}\n`);
      bars.update();
    },
    show: (figures) => {
      if (shown === undefined) return begin(figures);
      shown.setTotal(Math.max(1, figures.total));
      shown.update(figures.done, { figures });
    },
    clear: () => {
      bars?.stop();
      bars = shown = undefined;
    },
  };
};

/** Whether to draw a bar: on a terminal that moves its cursor, unless `--plain` or the environment refuses. */
export const wantsBar = (
  terminal: { readonly isTTY?: boolean },
  { plain, environment }: { plain: boolean; environment: Readonly<Record<string, string | undefined>> },
): boolean => {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  return terminal.isTTY === true && !plain && !isSet('NO_COLOR') && !isSet('CI') && environment['TERM'] !== 'dumb';
};

/** The screen for a stream. */
export const screenOn = (
  stream: Terminal,
  how: { plain: boolean; environment: Readonly<Record<string, string | undefined>> },
): Screen => (wantsBar(stream, how) ? barScreen(stream) : plainScreen((line) => void stream.write(`${line}\n`)));
