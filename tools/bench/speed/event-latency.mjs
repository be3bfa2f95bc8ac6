// Time from the commit of an event to its handler: outbox, relay, Kafka, receiver, consumer.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { figures, load, show } from '../lib/figures.mjs';
import { goal } from '../lib/goals.mjs';
import { describedEvent, withMessaging } from './messaging.mjs';

const require = createRequire(import.meta.url);
const GOAL_MS = 250;
const WARM_UP = 20;
const PATIENCE_MS = 30_000;

/** The consumer of retrieval with one handler, which records the time of its call. */
const listening = ({ server, logger }, event, arrived) => {
  const { appRole } = require('@acervo/platform-database');
  const { Consumer, Notifications } = require('@acervo/platform-messaging');
  const { Metrics, Telemetry } = require('@acervo/platform-observability');
  const handle = (_scope, _tx, { documentId }) => {
    arrived.get(documentId)?.(performance.now());
    return Promise.resolve();
  };
  const telemetry = new Telemetry(logger, new Metrics('retrieval'));
  const connection = server.connection(appRole('retrieval'));
  const consumer = new Consumer('retrieval', server.database('retrieval'), new Notifications(connection), telemetry);
  return consumer.subscribe(new Map([[event.topic, { event, handle }]]));
};

/** Publishes one event; returns the milliseconds from just before its commit to its handler. */
const publisher = (server, event, arrived) => {
  const { Outbox } = require('@acervo/platform-messaging');
  const [database, outbox] = [server.database('ingestion'), new Outbox('ingestion')];
  const scope = { groupId: randomUUID() };
  return async (revision) => {
    const documentId = randomUUID();
    const handled = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('An event did not arrive within 30 s.')), PATIENCE_MS);
      arrived.set(documentId, (at) => (clearTimeout(late), arrived.delete(documentId), resolve(at)));
    });
    let ended = 0;
    await database.write(scope, async (tx) => {
      await outbox.append(tx, event, describedEvent(documentId, revision));
      ended = performance.now();
    });
    return (await handled) - ended;
  };
};

/** One event at a time, at times that no timer shares. */
const oneByOne = async (publish, rounds) => {
  const times = [];
  for (let round = 1; round <= rounds; round += 1) {
    times.push(await publish(round));
    await pause(5 + Math.random() * 60);
  }
  return times;
};

/** A constant number of events a second, each published on time, regardless of earlier ones. */
const steadily = async (publish, rounds, aSecond) => {
  const began = performance.now();
  return Promise.all(
    Array.from({ length: rounds }, async (_, index) => {
      await pause((index * 1_000) / aSecond - (performance.now() - began));
      return publish(index + 1);
    }),
  );
};

export const measureEvents = (variables, rounds) =>
  withMessaging(variables, async (messaging) => {
    const { documentDescribed: event } = require('@acervo/contracts');
    const arrived = new Map();
    const transports = [messaging.transport('ingestion', []), messaging.transport('retrieval', [event.topic])];
    const consumer = listening(messaging, event, arrived);
    try {
      for (const each of transports) await each.start();
      consumer.start();
      const publish = publisher(messaging.server, event, arrived);
      await oneByOne(publish, WARM_UP);
      const alone = figures(await oneByOne(publish, rounds));
      show('event, one at a time', alone);
      show('event, 50 a second', figures(await steadily(publish, rounds * 2, 50)));
      process.stdout.write(
        `commit to handler: p95 ${alone.p95.toFixed(0)} ms ${goal(GOAL_MS, alone.p95 <= GOAL_MS)}, at most ${alone.most.toFixed(0)} ms; ${load()}\n\n`,
      );
    } finally {
      await consumer.stop();
      for (const each of transports) await each.stop();
    }
  });
