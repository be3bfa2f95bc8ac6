import { PortInUse } from '@acervo/platform-http';
import { askRunning } from './control';
import { isPlainMistake, startStandalone } from './start';
import { isBrief, type StartOptions, startEnvironment } from './options';
import { screenOn } from './progress/screen';

const LONGEST_STOP_MS = 30_000;

/** The program: starts, serves until it is told to stop, stops in order. */
export const main = async (
  argument: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> => {
  const options = JSON.parse(argument) as StartOptions;
  const screen = screenOn(process.stdout, { plain: options.plain === true, environment });
  const { say } = screen;
  const isNew = typeof options.importFrom === 'string';
  const answered = isNew ? undefined : await askRunning(options.data, options, say);
  if (answered !== undefined) {
    process.exitCode = answered;
    return;
  }
  const running = await startStandalone(options, startEnvironment(environment), screen);
  let asked = false;
  const stop = (code = 0): void => {
    if (asked) process.exit(1);
    asked = true;
    screen.clear();
    if (!isBrief(options)) say('Stopping; once more to stop at once.');
    setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
    running.stop().then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop());
  running.working.catch((error: unknown) => {
    if (asked) return;
    process.stderr.write(`${explain(error, 'Acervo has to end')}\n`);
    stop(1);
  });
  const isDone = await running.intake.catch((error: unknown) => {
    if (!asked) process.stderr.write(`${explain(error, 'What was asked could not be done')}\n`);
    return undefined;
  });
  const isOver = options.scanOnly || isBrief(options) || isDone === undefined;
  if (isOver && !asked) stop(isDone === true ? 0 : 1);
};

/** What a person sees when a start, or what it was asked for, did not work. */
export const explain = (error: unknown, what = 'Acervo could not start'): string =>
  error instanceof PortInUse
    ? `${error.message} Another one: npm start -- --port N`
    : isPlainMistake(error)
      ? error.message
      : `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
