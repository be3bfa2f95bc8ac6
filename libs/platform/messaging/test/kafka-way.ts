import { randomUUID } from 'node:crypto';
import { receivedBy, type ServiceName, services } from '@acervo/contracts';
import { appRole, relayRole } from '@acervo/platform-database';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { stackKafkaPassword, stackVariable, type TestDatabase } from '@acervo/platform-testing';
import { type KafkaSettings, type KafkaTransport, type KafkaTransportOptions, openKafkaTransport } from '../src/kafka';
import { Notifications } from '../src';
import { silent, until } from './support';
import type { OpenWay } from './way';

/** The Kafka of the stack, with separate topics and groups for this test. */
export const testKafka = (clientId = 'test'): KafkaSettings => ({
  brokers: [stackVariable('ACERVO_KAFKA_BROKERS')],
  clientId,
  prefix: `test-${randomUUID().slice(0, 8)}.`,
  partitions: 3,
  replication: 1,
  tls: true,
  ca: stackVariable('ACERVO_KAFKA_CA'),
  user: stackVariable('ACERVO_KAFKA_USER'),
  password: stackVariable('ACERVO_KAFKA_PASSWORD'),
});

/** The settings of a service with its own user, as the stack makes it. */
export const ofService = (service: ServiceName, settings: KafkaSettings): KafkaSettings => ({
  ...settings,
  ...{ clientId: service, user: service, password: stackKafkaPassword(service) },
});

export const transportOf = (
  server: TestDatabase,
  service: ServiceName,
  settings: KafkaSettings,
  logger = silent,
  metrics = new Metrics(service),
  more: Partial<KafkaTransportOptions> = {},
): KafkaTransport =>
  openKafkaTransport({
    ...more,
    service,
    settings,
    topics: receivedBy(service).map(({ topic }) => topic),
    database: server.database(service),
    relay: {
      connection: server.connection(relayRole(service)),
      notifications: new Notifications(server.connection(appRole(service))),
    },
    telemetry: new Telemetry(logger, metrics),
  });

/** Two replicas of each service. */
export const kafkaWay: OpenWay = async (server, logger) => {
  const settings = testKafka();
  const replicas = services.flatMap((service) => [0, 1].map(() => transportOf(server, service, settings, logger)));
  // In sequence: the first creates the topics.
  for (const each of replicas) await each.start();
  const moveAll = (): Promise<unknown> => Promise.all(replicas.map(({ relay }) => relay.moveAll()));
  const arrived = async (): Promise<boolean> => {
    for (const service of services)
      if ((await server.asOwner(service, `select from ${service}.outbox limit 1`)).length > 0) return false;
    const lags = await Promise.all(replicas.map((each) => each.waiting()));
    return lags.every((lag) => [...lag.values()].every((count) => count === 0));
  };
  return {
    moves: [moveAll],
    deliver: async () => {
      await moveAll();
      await until('every event arrives', arrived, 30_000);
    },
    close: async () => {
      await Promise.all(replicas.map((each) => each.stop()));
    },
  };
};
