// Ingestion and retrieval on one database, for scans and their events; no worker processes documents.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** A database with the tables of all services. */
export const openDatabase = () => {
  const { everyMigration } = require('@acervo/e2e/harness');
  const { openTestDatabase } = require('@acervo/platform-testing');
  return openTestDatabase(everyMigration());
};

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The providers of a service on this database, without listeners and workers. */
const compose = async (service, module, { engine, environment, overrides }) => {
  const { getQueueToken } = require('@nestjs/bullmq');
  const { DiscoveryService } = require('@nestjs/core');
  const { Test } = require('@nestjs/testing');
  const { BackgroundDatabase, Database, EventsDatabase } = require('@acervo/platform-database');
  const { Logger } = require('@acervo/platform-observability');
  const { PlatformModule, RuntimeModule } = require('@acervo/platform-service');
  const runtime = RuntimeModule.forProcess({ environment });
  const builder = Test.createTestingModule({ imports: [runtime, PlatformModule.forService(service), module] });
  const database = engine.database(service.name);
  for (const token of [Database, BackgroundDatabase, EventsDatabase])
    builder.overrideProvider(token).useValue(database);
  const queue = { add: () => Promise.resolve(), getJob: () => Promise.resolve(), on: () => undefined };
  builder.overrideProvider(getQueueToken(service.name)).useValue(queue);
  builder.overrideProvider(Logger).useValue(silent);
  for (const [token, value] of overrides) builder.overrideProvider(token).useValue(value);
  const instances = (await builder.compile())
    .get(DiscoveryService)
    .getProviders()
    .map(({ instance }) => instance);
  const providers = [...new Set(instances)].filter((each) => typeof each === 'object' && each !== null);
  return { database, providers };
};

/** Runs the one job of scans: the hash of a file that may have moved. `jobs` counts the requests. */
const hashing = (jobs) => ({
  run: (name, { root, relativePath }) => {
    jobs.push(name);
    const content = readFileSync(join(root, relativePath));
    return Promise.resolve({ hash: createHash('sha256').update(content).digest('hex') });
  },
});

const openIngestion = async (engine, place, jobs) => {
  const { InlineSource, TextSource } = require('@acervo/extraction');
  const { Cpu, IngestionModule, ingestionService } = require('@acervo/ingestion');
  const { AuditTrail, Calls, CallServer, WriteContexts } = require('@acervo/platform-calls');
  const { database, providers } = await compose(ingestionService, IngestionModule, {
    engine,
    environment: {
      ACERVO_CURSOR_KEY: 'a key of the bench for cursors',
      ACERVO_OBJECTS_DIRECTORY: join(place, 'objects'),
    },
    overrides: [
      [Cpu, hashing(jobs)],
      [TextSource, new InlineSource()],
      [Calls, { send: () => Promise.reject(new Error('No handler answers.')) }],
    ],
  });
  class NoTrail extends AuditTrail {
    record() {
      return Promise.resolve();
    }
  }
  return new CallServer('ingestion', new WriteContexts(database, new NoTrail())).register(providers);
};

const openRetrieval = async (engine, place) => {
  const { appRole } = require('@acervo/platform-database');
  const { Consumer, Notifications, subscriptionsOf } = require('@acervo/platform-messaging');
  const { Metrics, Telemetry } = require('@acervo/platform-observability');
  const { RetrievalModule, retrievalService } = require('@acervo/retrieval');
  const environment = {
    ACERVO_CURSOR_KEY: 'a key of the bench for cursors',
    ACERVO_OBJECTS_DIRECTORY: join(place, 'objects'),
  };
  const { database, providers } = await compose(retrievalService, RetrievalModule, {
    ...{ engine, environment, overrides: [] },
  });
  const telemetry = new Telemetry(silent, new Metrics('bench'));
  const notifications = new Notifications(engine.connection(appRole('retrieval')));
  const consumer = new Consumer('retrieval', database, notifications, telemetry);
  return consumer.subscribe(subscriptionsOf('retrieval', providers));
};

/** The Calls of ingestion, and the delivery of its events to retrieval. */
export const openServices = async (engine, place) => {
  const { RELAY_ROLE } = require('@acervo/platform-database');
  const { EmbeddedRelay } = require('@acervo/platform-messaging');
  const jobs = [];
  const server = await openIngestion(engine, place, jobs);
  const consumer = await openRetrieval(engine, place);
  const relay = new EmbeddedRelay(engine.connection(RELAY_ROLE), silent);
  const deliver = async () => {
    await relay.moveAll();
    await consumer.drain();
  };
  return { server, jobs, deliver, close: () => relay.stop() };
};

/** Marks the documents of a group as ingested and answered in both services. */
export const assumeIngested = async (engine, groupId) => {
  const of = (service, sql) => engine.database(service).write({ groupId }, (tx) => tx.query(sql, [groupId]));
  await of('ingestion', `update ingestion.document set status = 'VECTORIZADO', handed_over = 1 where group_id = $1`);
  await of('ingestion', `delete from ingestion.task where group_id = $1 and stage = 'acquire'`);
  const rows = await of(
    'ingestion',
    `select document_id, revision, code, name, entity_code, location_code, location_ancestors, relative_path, path
     from ingestion.document where group_id = $1`,
  );
  for (let from = 0; from < rows.length; from += 500)
    await engine.database('retrieval').write({ groupId }, (tx) =>
      tx.query(
        `insert into retrieval.document (group_id, document_id, revision, code, name, summary, entity_code, location_code,
           location_ancestors, relative_path, path, origin)
         select $1, document_id, revision, code, name, '', entity_code, location_code, location_ancestors, relative_path,
           path, 'CARPETA'
         from jsonb_to_recordset($2::jsonb) as given (document_id uuid, revision int, code text, name text,
           entity_code text, location_code text, location_ancestors text[], relative_path text, path text)`,
        [groupId, JSON.stringify(rows.slice(from, from + 500))],
      ),
    );
};
