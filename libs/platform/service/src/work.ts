import { type ServiceName, services } from '@acervo/contracts';
import { appRole, assertNoRowsWithoutGroup, RELAY_ROLE } from '@acervo/platform-database';
import type { ReadinessCheck } from '@acervo/platform-http';
import { Consumer, KafkaTransport, subscriptionsOf, unhandled, WaitingFigures } from '@acervo/platform-messaging';
import { Ringer, StageRunner, stagesOf } from '@acervo/platform-queue';
import type { Composition, ServiceDefinition, ServiceKit } from './definition';
import { connectionOf, reconcilerConnection } from './engines';
import { kafkaSettings } from './events-config';
import type { ServiceConfig } from './service-config';

/** What a service does without being asked: consuming, working stages, ringing for what waits. */
export interface BackgroundWork {
  /** What it needs beside the database. */
  readonly checks: readonly ReadinessCheck[];
  /** Looks, for some seconds at most, whether what carries events can be used. @throws when it never can as it is */
  check(): Promise<void>;
  /**
   * Begins all of it at once. Resolves when events come and go, which may be long after: Kafka is waited for.
   * @throws when what carries events can never be used as it is
   */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The way of a service's events through Kafka. */
const throughKafka = (
  service: ServiceName,
  {
    config,
    logger,
    metrics,
    tracer,
    engines,
  }: Pick<ServiceKit, 'config' | 'logger' | 'metrics' | 'tracer' | 'engines'>,
  topics: readonly string[],
): KafkaTransport =>
  new KafkaTransport({
    ...{ service, topics, logger, metrics, tracer, failpoints: engines.failpoints },
    settings: kafkaSettings(service, config),
    database: engines.courier,
    relay: connectionOf(config, RELAY_ROLE, config.relayPassword),
  });

const HOUR_MS = 3_600_000;

/** @throws when an event or a stage lacks its handler, before anything has started. */
export const backgroundWork = <C extends ServiceConfig>(
  { name }: ServiceDefinition<C>,
  { config, logger, metrics, tracer, engines }: ServiceKit<C>,
  { providers }: Composition,
): BackgroundWork => {
  const connection = connectionOf(config, appRole(name), config.appPassword);
  const subscriptions = subscriptionsOf(name, providers);
  const stages = stagesOf(providers);
  const { background, courier, tasks, doorbells, failpoints } = engines;
  const ringer = new Ringer({ service: name, connection: reconcilerConnection(name, config), doorbells, logger });
  // What events left to do begins at once; the ringer's own rounds are for bells that were lost.
  const afterwards = async (): Promise<void> => {
    if (stages.length === 0) return;
    doorbells.ringUrgent();
    await ringer.ringWaiting(0);
  };
  const consumer = new Consumer({
    afterwards,
    service: name,
    database: courier,
    connection,
    subscriptions,
    logger,
    metrics,
    tracer,
    failpoints,
  });
  const transport =
    config.events === 'kafka'
      ? throughKafka(name, { config, logger, metrics, tracer, engines }, [...subscriptions.keys()])
      : undefined;
  const figures = new WaitingFigures(metrics, [
    unhandled(name, background),
    ...(transport === undefined ? [] : [transport.relay.waiting]),
  ]);
  let trimmer: NodeJS.Timeout | undefined;
  return {
    // Events wait in the outbox and in Kafka; what is asked is answered.
    checks: transport === undefined ? [] : [{ name: 'kafka', spare: true, check: () => transport.ping() }],
    check: async () => {
      await transport?.check().catch(async (error: unknown) => {
        await transport.stop();
        throw error;
      });
    },
    start: async () => {
      if (stages.length > 0) {
        const runner = new StageRunner({
          service: name,
          tasks,
          database: background,
          logger,
          metrics,
          tracer,
          failpoints,
        });
        doorbells.answer(stages, runner, tasks, config.stageConcurrency);
        ringer.start();
      }
      consumer.start();
      figures.start();
      trimmer = setInterval(
        () => void consumer.trim().catch((error: unknown) => logger.warn({ error }, 'inbox was not trimmed')),
        HOUR_MS,
      );
      trimmer.unref();
      await transport?.start();
    },
    stop: async () => {
      clearInterval(trimmer);
      figures.stop();
      await transport?.stop();
      await consumer.stop();
      await ringer.stop();
    },
  };
};

const TENANT_TABLES = `
select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind in ('r', 'p') and c.relforcerowsecurity and has_table_privilege($2, c.oid, 'select')`;

/** Proves that a session without a group sees no tenant row. @throws and the service does not start. */
export const assertTenancy = async <C extends ServiceConfig>(
  { name }: ServiceDefinition<C>,
  { engines }: ServiceKit<C>,
): Promise<void> => {
  if (!services.includes(name)) throw new Error(`${name} is no service.`);
  await engines.database.ungrouped(async (tx) => {
    const tables = await tx.query<{ name: string }>(TENANT_TABLES, [name, appRole(name)]);
    await assertNoRowsWithoutGroup(
      tx.query,
      tables.map((table) => table.name),
    );
  });
};
