// A database with the messaging tables only, and Kafka with its own topics: events without the product.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { kafkaOf } from '../lib/engines.mjs';

const require = createRequire(import.meta.url);
const PARTITIONS = 12;

/** Runs `work` with the messaging between two services, and removes all of it afterwards. */
export const withMessaging = async (variables, work) => {
  require('reflect-metadata');
  const { services } = require('@acervo/contracts');
  const { appRole, relayRole } = require('@acervo/platform-database');
  const { messagingMigrations, Notifications } = require('@acervo/platform-messaging');
  const { openKafkaTransport } = require('@acervo/platform-messaging/kafka');
  const { createLogger, Metrics, Telemetry } = require('@acervo/platform-observability');
  const { openTestDatabase } = require('@acervo/platform-testing');
  const quiet = new Writable({ write: (_chunk, _encoding, done) => done() });
  const logger = createLogger({ service: 'bench', level: 'fatal', destination: quiet });
  const server = await openTestDatabase(
    Object.fromEntries(services.map((service) => [service, messagingMigrations(service)])),
  );
  const settings = {
    ...{ ...kafkaOf(variables), clientId: 'bench' },
    ...{ prefix: `bench-${randomUUID().slice(0, 8)}.`, partitions: PARTITIONS, replication: 1 },
  };
  const transport = (service, topics) =>
    openKafkaTransport({
      ...{ service, topics, settings, telemetry: new Telemetry(logger, new Metrics(service)) },
      database: server.database(service),
      relay: {
        connection: server.connection(relayRole(service)),
        notifications: new Notifications(server.connection(appRole(service))),
      },
    });
  try {
    return await work({ server, settings, logger, transport });
  } finally {
    await server.close();
  }
};

/** An event of ordinary size about a document. */
export const describedEvent = (documentId, revision) => ({
  ...{ documentId, revision, code: `D${revision}`, name: `informe-${revision}.pdf`, title: 'Informe anual' },
  summary: 'Cuotas, obras y acuerdos de la comunidad de regantes durante el ejercicio, con sus anexos. '.repeat(3),
  ...{ entityCode: 'E1', locationCode: 'L12', locationAncestors: ['L1', 'L4', 'L12'], homeVar: null },
  relativePath: `archivo/2024/actas/informe-${revision}.pdf`,
  ...{ path: `/archivo/2024/actas/informe-${revision}.pdf`, origin: 'CARPETA' },
});
