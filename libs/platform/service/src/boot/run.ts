import { constants } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertProgramEnvironment, BaseConfig, type Environment } from '@acervo/platform-config';
import { type ListenerSecurity, publicBounds, serve, UNPROVEN_BOUNDS } from '@acervo/platform-http';
import type { Logger } from '@acervo/platform-observability';
import { bootService, type RunningService, type ServiceProgram } from './boot';
import { execute } from './execute-commands';
import { type ServiceDefinition, settingsClassesOf } from '../service';
import { type ParsedArguments, helpOf, readArguments, UsageError } from '../admin-commands/command-arguments';
import { reasonOf } from '../admin-commands/failure-reason';
import { type Listeners, LONGEST_STOP_MS, stopInOrder, unlessStopped } from './stop';

const LONGEST_CLOSE_MS = 5_000;
/** Exit codes of the program. */
const [FAILED, NOT_UNDERSTOOD] = [1, 2];
/** The exit code of a program that a signal ended is its number above this one. */
const BY_SIGNAL = 128;

/**
 * Waits for the work of a program. Where the work can never be done, the program stops in order and rethrows. An
 * orderly stop returns leased tasks and events; an abrupt end would count as a death against them.
 */
export const orStop = async (working: Promise<void>, ended: () => Promise<void>): Promise<void> => {
  try {
    await working;
  } catch (error) {
    await ended().catch(() => undefined);
    throw error;
  }
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Executes the admin commands and sets the exit code. */
const executeArguments = async (
  program: ServiceProgram,
  environment: Environment,
  asked: ParsedArguments,
  stopSignal: AbortSignal,
): Promise<void> => {
  // A command may be interrupted and repeated.
  const interrupted = (): never => process.exit(BY_SIGNAL + constants.signals[stopSignal.reason as NodeJS.Signals]);
  stopSignal.addEventListener('abort', interrupted);
  if (stopSignal.aborted) interrupted();
  if (asked.help) return void process.stdout.write(helpOf(program.service));
  try {
    assertProgramEnvironment(settingsClassesOf(program.service), environment);
    await execute(program, environment, asked, print);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = FAILED;
  }
  // The commands are done; a connection that does not close must not keep the process alive.
  setTimeout(() => process.exit(), LONGEST_CLOSE_MS).unref();
};

const readOrRefuse = (definition: ServiceDefinition, argv: readonly string[]): ParsedArguments | undefined => {
  try {
    return readArguments(definition, argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = NOT_UNDERSTOOD;
    return undefined;
  }
};

/** Half of the settings of TLS is set. */
class IncompleteTls extends Error {
  override readonly name = 'IncompleteTls';
  constructor() {
    super('ACERVO_INTERNAL_TLS_CERTIFICATE and ACERVO_INTERNAL_TLS_KEY are set together, or neither of them.');
  }
}

/** What the internal listener speaks TLS with; undefined where it speaks plain HTTP. @throws IncompleteTls */
const internalSecurity = (
  { internalTlsCertificate: certificate, internalTlsKey: key }: BaseConfig,
  logger: Logger,
): ListenerSecurity | undefined => {
  if ((certificate === null) !== (key === null)) throw new IncompleteTls();
  if (certificate === null || key === null) return undefined;
  const failed = (error: unknown): void =>
    logger.error(
      { error },
      'the replaced certificate of the internal port cannot be used; the one before it is served',
    );
  return { files: { certificate, key }, failed };
};

/** Opens the internal listener, then the public one; each may have an address of its own. */
export const listen = async (
  { handler, logger, proves }: Pick<RunningService, 'handler' | 'logger' | 'proves'>,
  config: BaseConfig,
): Promise<Listeners> => {
  const { host, internalHost, internalPort, publicPort } = config;
  const security = internalSecurity(config, logger);
  const most = config.connections;
  const bounds = { most, senders: { ...UNPROVEN_BOUNDS, most: Math.ceil(most / 2), proves } };
  return {
    internal: await serve('internal', handler, internalHost ?? host, internalPort, security, bounds),
    public: await serve('public', handler, host, publicPort, undefined, publicBounds(config)),
  };
};

/** Runs a booted service until a stop signal. @throws when its events can never be delivered as configured */
const serveUntilStopped = async (service: RunningService, stopSignal: AbortSignal): Promise<void> => {
  const config = service.app.get(BaseConfig);
  const listeners = await listen(service, config);
  let stopping: Promise<void> | undefined;
  const stop = (drainMs: number): Promise<void> => {
    setTimeout(() => process.exit(FAILED), drainMs + LONGEST_STOP_MS).unref();
    return (stopping ??= stopInOrder(service, listeners, drainMs));
  };
  const end = (): void =>
    void stop(config.drainSeconds * 1_000).then(
      () => process.exit(0),
      () => process.exit(FAILED),
    );
  if (stopSignal.aborted) return end();
  stopSignal.addEventListener('abort', end);
  const working = service.startWork();
  const ports = [listeners.internal.port, listeners.public.port];
  process.send?.({ kind: 'ready', ports });
  service.logger.info({ ports }, 'ready');
  await orStop(working, () => stop(0));
};

/**
 * The program of a service. With arguments it executes admin commands and ends. Without arguments it runs until it
 * receives a stop signal, also while it starts. It sends `ready` to its parent process once it answers, and ends when
 * the parent is gone.
 * @throws InvalidConfiguration before anything starts; later, when its events can never be delivered as configured: the
 * program has to end then
 */
export const runService = async (
  program: ServiceProgram,
  environment: Environment,
  argv: readonly string[],
  stopSignal: AbortSignal,
): Promise<void> => {
  // Files of this process and of its children belong to their owner alone.
  process.umask(0o077);
  const asked = readOrRefuse(program.service, argv);
  if (asked === undefined) return;
  if (argv.length > 0) return executeArguments(program, environment, asked, stopSignal);
  assertProgramEnvironment(settingsClassesOf(program.service), environment);
  process.on('disconnect', () => process.exit(0));
  // A signal that arrived while modules were loaded is an event of the first turn.
  await nextTurn();
  if (stopSignal.aborted) process.exit(0);
  const service = await unlessStopped(bootService(program, { environment }), stopSignal);
  if (service === undefined) process.exit(0);
  await serveUntilStopped(service, stopSignal);
};
