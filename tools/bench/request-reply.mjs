// A question and its answer over HTTP and over Kafka: the same payload, in turns, within one run.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import kafkajs from 'kafkajs';
import { root } from '../lib/options.mjs';
import { Stack } from '../stack/stack.mjs';

const ROUNDS = 6;
const QUESTIONS = 150;
const AT_ONCE = 16;
const RESPONDER = fileURLToPath(new URL('request-reply-responder.mjs', import.meta.url));

const quantile = (values, q) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))];

const overHttp = (port) => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  return (text) =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method: 'POST', agent }, (answer) => {
        answer.resume();
        answer.on('end', resolve);
      });
      sent.once('error', reject);
      sent.end(text);
    });
};

const overKafka = async (kafka, requests, replies) => {
  const waiting = new Map();
  const producer = kafka.producer();
  const consumer = kafka.consumer({ groupId: `${replies}-asker`, maxWaitTimeInMs: 100 });
  await producer.connect();
  await consumer.connect();
  await consumer.subscribe({ topic: replies });
  const joined = new Promise((resolve) => consumer.on(consumer.events.GROUP_JOIN, resolve));
  await consumer.run({ eachMessage: async ({ message }) => waiting.get(message.key.toString())?.() });
  await joined;
  const ask = (text) =>
    new Promise((resolve, reject) => {
      const key = randomUUID();
      waiting.set(key, () => (waiting.delete(key), resolve()));
      producer.send({ topic: requests, acks: 1, messages: [{ key, value: text }] }).catch(reject);
    });
  return { ask, close: () => Promise.all([producer.disconnect(), consumer.disconnect()]) };
};

/** Milliseconds of each question, so many at a time. */
const measure = async (ask, count, atOnce) => {
  const taken = [];
  let left = count;
  const one = async () => {
    while (left-- > 0) {
      const began = performance.now();
      await ask(JSON.stringify({ id: left, text: 'x'.repeat(200) }));
      taken.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return taken;
};

const tell = (ways, kind) => {
  const rows = Object.entries(ways).map(([name, values]) => ({
    name,
    p50: quantile(values, 0.5),
    p95: quantile(values, 0.95),
    n: values.length,
  }));
  for (const { name, p50, p95, n } of rows)
    process.stdout.write(`${kind}, ${name}: p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, n ${n}\n`);
  const [http, kafka] = rows;
  process.stdout.write(
    `${kind}: Kafka takes ${(kafka.p50 / http.p50).toFixed(1)} x at p50, ${(kafka.p95 / http.p95).toFixed(1)} x at p95\n`,
  );
};

export const run = async () => {
  const stack = new Stack(join(root, '.stack', `bench-${process.pid}`));
  await stack.up({ wanted: ['kafka'], say: () => undefined, tied: true });
  const broker = stack.state.variables.ACERVO_KAFKA_BROKERS;
  const [requests, replies] = ['bench-requests', 'bench-replies'];
  const kafka = new kafkajs.Kafka({ clientId: 'asker', brokers: [broker], logLevel: kafkajs.logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    waitForLeaders: true,
    topics: [requests, replies].map((topic) => ({ topic, numPartitions: 3 })),
  });
  await admin.disconnect();
  const responder = fork(RESPONDER, [broker, requests, replies]);
  try {
    const { port } = await new Promise((resolve) => responder.once('message', resolve));
    const http = overHttp(port);
    const through = await overKafka(kafka, requests, replies);
    for (const ask of [http, through.ask]) await measure(ask, QUESTIONS, 1);
    for (const [kind, atOnce] of [
      ['one at a time', 1],
      [`${AT_ONCE} at once`, AT_ONCE],
    ]) {
      const ways = { HTTP: [], Kafka: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        ways.HTTP.push(...(await measure(http, QUESTIONS, atOnce)));
        ways.Kafka.push(...(await measure(through.ask, QUESTIONS, atOnce)));
      }
      tell(ways, kind);
    }
    await through.close();
  } finally {
    responder.kill();
    await stack.down({ remove: true });
  }
};
