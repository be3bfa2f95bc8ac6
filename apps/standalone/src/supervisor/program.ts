import { askRunning } from '../kernel/control';
import { isBrief, type StartOptions, startEnvironment } from '../kernel/options';
import { screenOn } from '../terminal/progress/screen';

const LONGEST_STOP_MS = 30_000;

/** Starts the program, serves until a signal, and stops in order. */
export const main = async (
  argument: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> => {
  // Files of this process and of its children belong to their owner alone.
  process.umask(0o077);
  const requested = JSON.parse(argument) as StartOptions;
  // The program that executes the commands may be another one, with another environment.
  const { ACERVO_BACKUP_PASSPHRASE: passphrase, ACERVO_KEY: key } = environment;
  const options = {
    ...requested,
    commands: requested.commands ?? [],
    passphrase: passphrase || undefined,
    key: key || undefined,
  };
  const screen = screenOn(process.stdout, { plain: options.plain === true, environment });
  const { print } = screen;
  const isNew = typeof options.importFrom === 'string' || typeof options.restoreFrom === 'string';
  const answered = isNew ? undefined : await askRunning(options.data, options, print);
  if (answered !== undefined) {
    process.exitCode = answered;
    return;
  }
  // A command for a running program does not load the product.
  const [{ startStandalone }, { explain }] = await Promise.all([import('./start.js'), import('./mistakes.js')]);
  const running = await startStandalone(options, startEnvironment(environment), screen);
  let asked = false;
  const stop = (code = 0): void => {
    if (asked) process.exit(1);
    asked = true;
    screen.clear();
    if (!isBrief(options)) print('Stopping. Press Ctrl-C again to stop at once.');
    setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
    running.stop().then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop());
  running.working.catch((error: unknown) => {
    if (asked) return;
    process.stderr.write(`${explain(error, 'Acervo stops because of an error')}\n`);
    stop(1);
  });
  const isDone = await running.ingested.catch((error: unknown) => {
    if (!asked) process.stderr.write(`${explain(error, 'The command failed')}\n`);
    return undefined;
  });
  const isOver = options.scanOnly || isBrief(options) || isDone === undefined;
  if (isOver && !asked) stop(isDone === true ? 0 : 1);
};
