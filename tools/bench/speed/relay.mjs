// The relay from a full outbox to Kafka beside a bare producer with the same messages in the same batches, in turns.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { figures, load } from '../lib/figures.mjs';
import { goal } from '../lib/goals.mjs';
import { describedEvent, withMessaging } from './messaging.mjs';

const require = createRequire(import.meta.url);
const GOAL = 0.7;
/** Batch size of the relay. */
const BATCH = 500;
const BATCHES = 12;
const ROUNDS = 7;
const KEYS = 400;

const perSecond = async (count, work) => {
  const began = performance.now();
  await work();
  return count / ((performance.now() - began) / 1_000);
};

/** Fills the outbox of ingestion; returns the messages of its rows, in batches. */
const fill = async (server, event) => {
  const { Outbox } = require('@acervo/platform-messaging');
  const { messageOf } = require('@acervo/platform-messaging/kafka');
  const [database, outbox] = [server.database('ingestion'), new Outbox('ingestion')];
  const keys = Array.from({ length: KEYS }, () => randomUUID());
  const scope = { groupId: randomUUID() };
  for (let batch = 0; batch < BATCHES; batch += 1)
    await database.write(scope, async (tx) => {
      for (let index = 0; index < BATCH; index += 1)
        await outbox.append(tx, event, describedEvent(keys[(batch * BATCH + index) % KEYS], batch + 1));
    });
  const rows = await server.asOwner(
    'ingestion',
    `select event_id, group_id, topic, event_key, payload::text, cause, to_json(occurred_at) #>> '{}' as occurred_at, trace
     from ingestion.outbox order by id`,
  );
  const messages = rows.map(messageOf);
  return Array.from({ length: BATCHES }, (_, batch) => messages.slice(batch * BATCH, (batch + 1) * BATCH));
};

const bareProducer = async (kafka, topic) => {
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1, allowAutoTopicCreation: false });
  await producer.connect();
  return {
    send: async (batches) => {
      for (const messages of batches) await producer.sendBatch({ topicMessages: [{ topic, messages }], acks: -1 });
    },
    close: () => producer.disconnect(),
  };
};

export const measureRelay = (variables) =>
  withMessaging(variables, async ({ server, settings, logger, transport }) => {
    const { documentDescribed: event } = require('@acervo/contracts');
    const { ensureTopics, openKafka } = require('@acervo/platform-messaging/kafka');
    const kafka = openKafka(settings, logger);
    const admin = kafka.admin();
    await admin.connect();
    await ensureTopics(admin, [event.topic], settings);
    await admin.disconnect();
    const bare = await bareProducer(kafka, `${settings.prefix}${event.topic}`);
    // Not started: it moves events only when the bench calls it.
    const ownTransport = transport('ingestion', []);
    const rates = { bare: [], relay: [], ratio: [] };
    try {
      for (let round = 0; round <= ROUNDS; round += 1) {
        const batches = await fill(server, event);
        const bytes = batches[0].reduce((sum, { value }) => sum + Buffer.byteLength(value), 0) / BATCH;
        const count = BATCH * BATCHES;
        const one = { bare: await perSecond(count, () => bare.send(batches)) };
        one.relay = await perSecond(count, () => ownTransport.relay.moveAll());
        if (round === 0) process.stdout.write(`relay: ${count} events of ${bytes.toFixed(0)} bytes a round\n`);
        else for (const name of ['bare', 'relay']) rates[name].push(one[name]);
        if (round > 0) rates.ratio.push(one.relay / one.bare);
      }
    } finally {
      await bare.close();
      await ownTransport.stop();
    }
    const [producer, relay, ratio] = [rates.bare, rates.relay, rates.ratio].map((list) => figures(list).p50);
    process.stdout.write(
      `relay ${relay.toFixed(0)} events/s, bare producer ${producer.toFixed(0)} events/s: ${ratio.toFixed(2)} x ${goal(GOAL, ratio >= GOAL)}, ` +
        `${Math.min(...rates.ratio).toFixed(2)} to ${Math.max(...rates.ratio).toFixed(2)} in ${ROUNDS} rounds; ${load()}\n\n`,
    );
  });
