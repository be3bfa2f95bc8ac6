// One process that either relays what retrieval publishes or handles for ingestion what it listens to, through Kafka and
// with the compiled packages, until it is asked to stop or is killed.
const { documentIndexed } = require('@acervo/contracts');
const { Database } = require('@acervo/platform-database');
const { Consumer, Failpoints, Notifications } = require('@acervo/platform-messaging');
const { openKafkaTransport } = require('@acervo/platform-messaging/kafka');
const { createLogger, Metrics, Telemetry } = require('@acervo/platform-observability');

const logger = createLogger({ service: 'test', level: 'fatal' });
const telemetryOf = (name) => new Telemetry(logger, new Metrics(name));

/** Writes down what was handled, and how far its key had come before as a handler sees it. */
const handle = async (_scope, tx, { documentId, revision }) => {
  await tx.query(
    `insert into ingestion.effect (document_id, revision, before)
     select $1, $2, coalesce(max(revision), 0) from ingestion.effect where document_id = $1`,
    [documentId, revision],
  );
};

const parts = {
  relay: ({ retrieval, relay: connection, ...common }) => {
    const database = new Database(retrieval);
    const relay = { connection, notifications: new Notifications(retrieval) };
    const way = { service: 'retrieval', topics: [], database, relay, telemetry: telemetryOf('retrieval') };
    return [openKafkaTransport({ ...common, ...way })];
  },
  handler: ({ ingestion, relay: connection, ...common }) => {
    const database = new Database(ingestion);
    const notifications = new Notifications(ingestion);
    const way = {
      service: 'ingestion',
      relay: { connection, notifications },
      topics: [documentIndexed.topic],
      database,
      telemetry: telemetryOf('ingestion'),
    };
    const subscriptions = new Map([[documentIndexed.topic, { event: documentIndexed, handle }]]);
    const consumer = new Consumer('ingestion', database, notifications, telemetryOf('consumer'));
    return [openKafkaTransport({ ...common, ...way }), consumer.subscribe(subscriptions)];
  },
};

process.once('message', async ({ part, failpoint, ...request }) => {
  const failpoints = Failpoints.from(failpoint);
  const running = parts[part]({ ...request, failpoints, sessionMs: 2_000 });
  for (const each of running) await each.start();
  process.send('ready');
  process.once('message', async () => {
    for (const each of running.toReversed()) await each.stop();
    process.exit(0);
  });
});
