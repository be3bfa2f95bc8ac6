// One process that relays and consumes with the compiled packages, until nothing waits or its failpoint kills it.
const { documentIndexed } = require('@acervo/contracts');
const { Database } = require('@acervo/platform-database');
const { Consumer, EmbeddedRelay, Failpoints, Notifications } = require('@acervo/platform-messaging');
const { createLogger, Metrics, Telemetry } = require('@acervo/platform-observability');

let deadly = null;

const handle = async (_scope, tx, { documentId, revision }) => {
  if (documentId === deadly) process.kill(process.pid, 'SIGKILL');
  await tx.query('insert into ingestion.effect (document_id, revision) values ($1, $2)', [documentId, revision]);
};

const handleAll = async (scope, tx, payloads) => {
  for (const payload of payloads) await handle(scope, tx, payload);
};

process.once('message', async ({ relayConnection, connection, failpoint, deadlyDocument, atOnce }) => {
  deadly = deadlyDocument;
  const logger = createLogger({ service: 'test', level: 'fatal' });
  const failpoints = Failpoints.from(failpoint);
  const relay = new EmbeddedRelay(relayConnection, logger, undefined, failpoints);
  const database = new Database(connection);
  const together = atOnce === null ? {} : { together: { atOnce, handle: handleAll } };
  const subscriptions = new Map([[documentIndexed.topic, { event: documentIndexed, handle, ...together }]]);
  const telemetry = new Telemetry(logger, new Metrics('test'));
  const consumer = new Consumer('ingestion', database, new Notifications(connection), telemetry, failpoints);
  await relay.moveAll();
  await consumer.subscribe(subscriptions).drain();
  await relay.stop();
  await database.close();
  process.disconnect();
});
