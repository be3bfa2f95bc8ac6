import { assertProgramEnvironment, BaseConfig, type Environment } from '@acervo/platform-config';
import { type RunningServer, serve } from '@acervo/platform-http';
import { bootService, type RunningService, type ServiceProgram } from './boot';
import { execute } from './execute-commands';
import { type ServiceDefinition, settingsClassesOf } from './service';
import { type ParsedArguments, helpOf, readArguments, UsageError } from './command-arguments';
import { reasonOf } from './failure-reason';

const LONGEST_STOP_MS = 30_000;
const LONGEST_CLOSE_MS = 5_000;
/** Exit codes of the program. */
const [FAILED, NOT_UNDERSTOOD] = [1, 2];

/** Stops in order: refuses new requests, finishes those in progress, then closes the service. */
const stop = async (servers: readonly RunningServer[], service: RunningService): Promise<void> => {
  await Promise.all(servers.map((server) => server.close()));
  await service.close();
};

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
const carryOutAsked = async (
  program: ServiceProgram,
  environment: Environment,
  asked: ParsedArguments,
): Promise<void> => {
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

/** Opens the internal listener, then the public one; each may have an address of its own. */
export const listen = async (
  { handler }: Pick<RunningService, 'handler'>,
  { host, internalHost, internalPort, publicPort }: BaseConfig,
): Promise<readonly RunningServer[]> => [
  await serve('internal', handler, internalHost ?? host, internalPort),
  await serve('public', handler, host, publicPort),
];

/**
 * The program of a service. With arguments it executes admin commands and ends. Without arguments it runs until it
 * receives a stop signal. It sends `ready` to its parent process once it answers, and ends when the parent is gone.
 * @throws InvalidConfiguration before anything starts; later, when its events can never be delivered as configured: the
 * program has to end then
 */
export const runService = async (
  program: ServiceProgram,
  environment: Environment,
  argv: readonly string[] = [],
): Promise<void> => {
  // Files of this process and of its children belong to their owner alone.
  process.umask(0o077);
  const asked = readOrRefuse(program.service, argv);
  if (asked === undefined) return;
  if (argv.length > 0) return carryOutAsked(program, environment, asked);
  assertProgramEnvironment(settingsClassesOf(program.service), environment);
  const service = await bootService(program, { environment });
  const config = service.app.get(BaseConfig);
  const servers = await listen(service, config);
  const working = service.startWork();
  let stopping: Promise<void> | undefined;
  const ended = (): Promise<void> => {
    setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
    return (stopping ??= stop(servers, service));
  };
  const end = (): void =>
    void ended().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  process.on('SIGTERM', end);
  // A terminal sends its signal to every process; the parent process decides when this one ends.
  process.on('SIGINT', () => (process.connected ? undefined : end()));
  process.on('disconnect', () => process.exit(0));
  process.send?.({ kind: 'ready', ports: servers.map(({ port }) => port) });
  service.logger.info({ ports: servers.map(({ port }) => port) }, 'ready');
  await orStop(working, ended);
};
