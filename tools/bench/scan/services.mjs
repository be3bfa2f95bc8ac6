// Ingestion and retrieval on one database, for scans and what follows from them; nobody works on documents.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** A database with the tables of all services. */
export const openDatabase = () => {
  const { services } = require('@acervo/contracts');
  const { ingestionMigrations } = require('@acervo/ingestion');
  const { migrationsOf } = require('@acervo/platform-service');
  const { openTestDatabase } = require('@acervo/platform-testing');
  const { retrievalMigrations } = require('@acervo/retrieval');
  const own = { ingestion: ingestionMigrations, retrieval: retrievalMigrations };
  return openTestDatabase(Object.fromEntries(services.map((name) => [name, migrationsOf(name, own[name])])));
};

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** What both services are made with. `jobs` counts what the processor was asked for. */
const enginesOf = (service, database, place, jobs) => {
  const { Failpoints, Outbox } = require('@acervo/platform-messaging');
  const { DirectoryObjectStore } = require('@acervo/platform-object-store');
  const { Tasks } = require('@acervo/platform-queue');
  const engines = {
    ...{ database, background: database, tasks: new Tasks(service, database), outbox: new Outbox(service) },
    ...{ objects: new DirectoryObjectStore(join(place, 'objects')), failpoints: Failpoints.none, provisioner: {} },
    doorbells: { ring: () => Promise.resolve() },
  };
  // The one job that scans need: the hash of a file that may have moved.
  const cpu = {
    run: (name, { root, relativePath }) => {
      jobs.push(name);
      return Promise.resolve({
        hash: createHash('sha256')
          .update(readFileSync(join(root, relativePath)))
          .digest('hex'),
      });
    },
  };
  return { engines, cpu };
};

/** The calls of ingestion, and the way of its events to retrieval. */
export const openServices = (engine, place) => {
  const { InlineSource } = require('@acervo/extraction');
  const { composeIngestion, IngestionConfig } = require('@acervo/ingestion');
  const { Embedders, HashingEmbedder } = require('@acervo/models');
  const { AuditTrail, CallServer } = require('@acervo/platform-calls');
  const { readConfig } = require('@acervo/platform-config');
  const { appRole, RELAY_ROLE } = require('@acervo/platform-database');
  const { Consumer, EmbeddedRelay, subscriptionsOf } = require('@acervo/platform-messaging');
  const { Metrics } = require('@acervo/platform-observability');
  const { retrievalService } = require('@acervo/retrieval');
  class NoTrail extends AuditTrail {
    record() {
      return Promise.resolve();
    }
  }
  const jobs = [];
  const metrics = new Metrics('bench');
  const database = engine.database('ingestion');
  const { engines, cpu } = enginesOf('ingestion', database, place, jobs);
  const calls = { send: () => Promise.reject(new Error('Nobody answers.')) };
  const parts = {
    config: readConfig(IngestionConfig, { ACERVO_CURSOR_KEY: 'a key of the bench for cursors' }),
    engines,
    calls,
    embedders: new Embedders(new HashingEmbedder()),
    logger: silent,
    metrics,
  };
  const providers = composeIngestion(parts, { cpu, source: new InlineSource() });
  const server = new CallServer({ service: 'ingestion', database, audit: new NoTrail(), providers });
  const kit = {
    config: readConfig(retrievalService.config, { ACERVO_EMBEDDER: 'hashing' }),
    ...{ logger: silent, metrics: new Metrics('bench') },
    engines: enginesOf('retrieval', engine.database('retrieval'), place, jobs).engines,
  };
  const consumer = new Consumer({
    ...{ service: 'retrieval', database: engine.database('retrieval'), logger: silent, metrics: new Metrics('bench') },
    connection: engine.connection(appRole('retrieval')),
    subscriptions: subscriptionsOf('retrieval', retrievalService.compose(kit).providers),
  });
  const relay = new EmbeddedRelay({ connection: engine.connection(RELAY_ROLE), logger: silent });
  const deliver = async () => {
    await relay.moveAll();
    await consumer.drain();
  };
  return { server, jobs, deliver, close: () => relay.stop() };
};

/** Both services believe that the documents of a group were taken in and answered. */
export const believeTakenIn = async (engine, groupId) => {
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
