import { PortInUse } from '@acervo/platform-http';
import { orStop } from '@acervo/platform-service';
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
  if (!isNew && (await askRunning(options.data, options, say))) return;
  const running = await startStandalone(options, startEnvironment(environment), screen);
  let asked = false;
  const stop = (): void => {
    if (asked) process.exit(1);
    asked = true;
    screen.clear();
    if (!isBrief(options)) say('Stopping; once more to stop at once.');
    setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
    running.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const takeIn = async (): Promise<void> => {
    await running.intake;
    if ((options.scanOnly || isBrief(options)) && !asked) stop();
  };
  await Promise.all([takeIn(), orStop(running.working, () => running.stop())]);
};

/** What a person sees when a start did not work. */
export const explain = (error: unknown): string =>
  error instanceof PortInUse
    ? `${error.message} Another one: npm start -- --port N`
    : isPlainMistake(error)
      ? error.message
      : `Acervo could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
