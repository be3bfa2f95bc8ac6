import { MultiBar } from 'cli-progress';
import { type Figures, linesOn, type Screen } from '@acervo/ingestion';
import type { Say } from '../intake';
import { barLine, progressLine } from './sentences';

export type { Screen };

/** Lines alone: for pipes, files and machines. */
export const plainScreen = (say: Say, now?: () => number): Screen => linesOn(say, progressLine, now);

/** What a bar is drawn on. */
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
      // A program that is killed leaves the cursor as it was, and Ctrl-C is answered elsewhere.
      hideCursor: null,
      linewrap: true,
      gracefulExit: false,
      forceRedraw: true,
    });
    shown = bars.create(Math.max(1, figures.total), figures.done, { figures });
  };
  return {
    say: (line) => {
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

/** Whether a bar can be drawn here and is wanted: on a terminal that moves its cursor, unless somebody says otherwise. */
export const wantsBar = (
  terminal: { readonly isTTY?: boolean },
  { plain, environment }: { plain: boolean; environment: Readonly<Record<string, string | undefined>> },
): boolean => {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  return terminal.isTTY === true && !plain && !isSet('NO_COLOR') && !isSet('CI') && environment['TERM'] !== 'dumb';
};

/** The screen of a program that writes to a stream. */
export const screenOn = (
  stream: Terminal,
  how: { plain: boolean; environment: Readonly<Record<string, string | undefined>> },
): Screen => (wantsBar(stream, how) ? barScreen(stream) : plainScreen((line) => void stream.write(`${line}\n`)));
