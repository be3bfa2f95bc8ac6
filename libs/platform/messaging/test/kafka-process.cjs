// One process that relays for retrieval and listens for ingestion through Kafka, with the compiled packages, until all
// effects are there or its failpoint kills it.
const { documentIndexed } = require('@acervo/contracts');
const { Database, openPool } = require('@acervo/platform-database');
const { Consumer, Failpoints, Notifications } = require('@acervo/platform-messaging');
const { openKafkaTransport } = require('@acervo/platform-messaging/kafka');
const { createLogger, Metrics, Telemetry } = require('@acervo/platform-observability');

const handle = async (_scope, tx, { documentId, revision }) => {
  await tx.query('insert into ingestion.effect (document_id, revision) values ($1, $2)', [documentId, revision]);
};

process.once('message', async ({ settings, relay: connection, retrieval, ingestion, failpoint, wanted }) => {
  const logger = createLogger({ service: 'test', level: 'fatal' });
  const telemetryOf = (name) => new Telemetry(logger, new Metrics(name));
  const failpoints = Failpoints.from(failpoint);
  const [sender, listener] = [new Database(retrieval), new Database(ingestion)];
  const [sent, heard] = [new Notifications(retrieval), new Notifications(ingestion)];
  const common = { settings, failpoints, sessionMs: 2_000 };
  const sending = openKafkaTransport({
    ...common,
    ...{ service: 'retrieval', topics: [], database: sender, telemetry: telemetryOf('retrieval') },
    relay: { connection, notifications: sent },
  });
  const listening = openKafkaTransport({
    ...common,
    ...{
      service: 'ingestion',
      topics: [documentIndexed.topic],
      database: listener,
      relay: { connection, notifications: heard },
      telemetry: telemetryOf('ingestion'),
    },
  });
  const consumer = new Consumer('ingestion', listener, heard, telemetryOf('consumer'), failpoints);
  consumer.subscribe(new Map([[documentIndexed.topic, { event: documentIndexed, handle }]]));
  const pool = openPool({ ...ingestion, max: 1 });
  const effects = async () => (await pool.query('select count(*)::int as n from ingestion.effect')).rows[0].n;
  await listening.start();
  await sending.start();
  consumer.start();
  while ((await effects()) < wanted) await new Promise((resolve) => setTimeout(resolve, 50));
  await consumer.stop();
  await Promise.all([sending.stop(), listening.stop()]);
  await Promise.all([sender.close(), listener.close(), pool.end()]);
  process.disconnect();
});
