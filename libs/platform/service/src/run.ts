import { readConfig } from '@acervo/platform-config';
import { type RunningServer, serve } from '@acervo/platform-http';
import { bootService, type RunningService } from './boot';
import { carryOut } from './carry-out';
import type { ServiceDefinition } from './definition';
import type { ServiceConfig } from './service-config';
import { type Asked, helpOf, readArguments, UsageError } from './wish-arguments';
import { reasonOf } from './wish-reasons';

const LONGEST_STOP_MS = 30_000;
const LONGEST_CLOSE_MS = 5_000;
/** Codes that the program ends with. */
const [FAILED, NOT_UNDERSTOOD] = [1, 2];

/** Stops in order: no new requests, what runs ends, then the service itself. */
const stop = async (servers: readonly RunningServer[], service: RunningService): Promise<void> => {
  await Promise.all(servers.map((server) => server.close()));
  await service.close();
};

/**
 * Waits for the work of a program. Where it can never be done it stops first: what was begun is handed back, where the
 * sudden end of a program counts against what it held.
 */
export const orStop = async (working: Promise<void>, ended: () => Promise<void>): Promise<void> => {
  try {
    await working;
  } catch (error) {
    await ended().catch(() => undefined);
    throw error;
  }
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Carries out what was asked, and sets the code that the program ends with. */
const carryOutAsked = async <C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  environment: Readonly<Record<string, string | undefined>>,
  asked: Asked<C>,
): Promise<void> => {
  if (asked.help) return void process.stdout.write(helpOf(definition));
  try {
    await carryOut(definition, environment, asked, say);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = FAILED;
  }
  // What was asked is done; a connection that does not close keeps nobody waiting.
  setTimeout(() => process.exit(), LONGEST_CLOSE_MS).unref();
};

const readOrRefuse = <C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  argv: readonly string[],
): Asked<C> | undefined => {
  try {
    return readArguments(definition, argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = NOT_UNDERSTOOD;
    return undefined;
  }
};

/**
 * The program of a service. With arguments it carries them out and ends; without, it runs until it is told to stop, says
 * `ready` to the process that started it as soon as it answers, and ends when that process is gone.
 * @throws when its events can never travel as things are: the program has to end then
 */
export const runService = async <C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  environment: Readonly<Record<string, string | undefined>>,
  argv: readonly string[] = [],
): Promise<void> => {
  const asked = readOrRefuse(definition, argv);
  if (asked === undefined) return;
  if (argv.length > 0) return carryOutAsked(definition, environment, asked);
  const config = readConfig(definition.config, environment);
  const service = await bootService(definition, environment);
  const servers = [
    await serve('internal', service.handler, config.host, config.internalPort),
    await serve('public', service.handler, config.host, config.publicPort),
  ];
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
  // A terminal sends its signal to every process; the one that started us decides when we end.
  process.on('SIGINT', () => (process.connected ? undefined : end()));
  process.on('disconnect', () => process.exit(0));
  process.send?.({ kind: 'ready', ports: servers.map(({ port }) => port) });
  service.logger.info({ ports: servers.map(({ port }) => port) }, 'ready');
  await orStop(working, ended);
};
