import { askRunning } from './control';
import { isPlainMistake, startStandalone } from './start';
import { type StartOptions, startEnvironment } from './options';

const LONGEST_STOP_MS = 30_000;

/** The program: starts, serves until it is told to stop, stops in order. */
export const main = async (
  argument: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> => {
  const options = JSON.parse(argument) as StartOptions;
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (await askRunning(options.data, options, say)) return;
  const running = await startStandalone(options, startEnvironment(environment), say);
  let asked = false;
  const stop = (): void => {
    if (asked) process.exit(1);
    asked = true;
    if (!options.status) say('Stopping; once more to stop at once.');
    setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
    running.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  await running.intake;
  if ((options.scanOnly || options.status) && !asked) stop();
};

/** What a person sees when a start did not work. */
export const explain = (error: unknown): string =>
  isPlainMistake(error)
    ? error.message
    : `Acervo could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
