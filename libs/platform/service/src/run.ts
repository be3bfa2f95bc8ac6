import { readConfig } from '@acervo/platform-config';
import { appRole, Database } from '@acervo/platform-database';
import { type RunningServer, serve } from '@acervo/platform-http';
import { replayDead, replayedSentence } from '@acervo/platform-messaging';
import { bootService, type RunningService } from './boot';
import type { ServiceDefinition } from './definition';
import { connectionOf } from './engines';
import type { ServiceConfig } from './service-config';

const LONGEST_STOP_MS = 30_000;

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

/** What an operator asks a program instead of running it. */
export const REPLAY_DEAD = '--replay-dead';

/** Gives the events that a service laid aside back to be handled, by whichever of its processes run. */
export const replayDeadOf = async <C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> => {
  const config = readConfig(definition.config, environment);
  const database = new Database({ ...connectionOf(config, appRole(definition.name), config.appPassword), max: 1 });
  try {
    return replayedSentence(definition.name, await replayDead(database, definition.name));
  } finally {
    await database.close();
  }
};

/**
 * Runs one service as a program of its own until it is told to stop. Says `ready` to the process that started it as soon
 * as it answers, and ends when that process is gone. With `--replay-dead` it does that instead, and ends.
 * @throws when its events can never travel as things are: the program has to end then
 */
export const runService = async <C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
  environment: Readonly<Record<string, string | undefined>>,
  wishes: readonly string[] = [],
): Promise<void> => {
  if (wishes.includes(REPLAY_DEAD)) {
    process.stdout.write(`${await replayDeadOf(definition, environment)}\n`);
    return;
  }
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
