import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ConsumerRunConfig, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import type { Database } from '@acervo/platform-database';
import { Metrics, Telemetry } from '@acervo/platform-observability';
import { keyPair, lineOf, pemOf } from '../../test/event-keys';
import { silent } from '../../test/support';
import { KafkaReceiver } from './kafka-receiver';
import { messageOf } from './envelope';
import { EventSigner, EventVerifier } from './signatures';

/** A consumer that delivers the messages of the test, and a producer that counts; the stack suites test brokers. */
class KafkaOnPaper extends EventEmitter {
  readonly events = { CRASH: 'consumer.crash', GROUP_JOIN: 'consumer.group_join' };
  eachBatch: ConsumerRunConfig['eachBatch'];
  deadLettered = 0;

  readonly kafka = {
    consumer: () => this,
    producer: () => ({
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      send: ({ messages }: { messages: readonly unknown[] }) => {
        this.deadLettered += messages.length;
        return Promise.resolve([]);
      },
    }),
  } as unknown as Kafka;

  connect = (): Promise<void> => Promise.resolve();
  subscribe = (): Promise<void> => Promise.resolve();
  disconnect = (): Promise<void> => Promise.resolve();
  run({ eachBatch }: ConsumerRunConfig): Promise<void> {
    this.eachBatch = eachBatch;
    this.emit(this.events.GROUP_JOIN);
    return Promise.resolve();
  }
}

describe('a long batch from Kafka', () => {
  const COUNT = 450;
  let paper: KafkaOnPaper;
  let receiver: KafkaReceiver;
  let reports: string[];
  let running: boolean;

  /** Messages that are no events, as one batch. */
  const payload = (): EachBatchPayload => {
    const messages = Array.from({ length: COUNT }, (_, offset) => ({
      offset: String(offset),
      value: null,
      headers: {},
    }));
    return {
      batch: {
        ...{ topic: 'test.document.indexed.v1', partition: 0, lastOffset: () => String(COUNT - 1) },
        messages: messages as unknown as KafkaMessage[],
      },
      resolveOffset: (offset: string) => reports.push(`done ${offset}`),
      commitOffsetsIfNecessary: () => Promise.resolve(void reports.push('commit')),
      heartbeat: () => Promise.resolve(void reports.push('alive')),
      uncommittedOffsets: () => ({ topics: [] }),
      isRunning: () => running,
      isStale: () => false,
    } as unknown as EachBatchPayload;
  };

  beforeEach(async () => {
    reports = [];
    running = true;
    paper = new KafkaOnPaper();
    const settings = { service: 'ingestion', prefix: 'test.', topics: ['document.indexed.v1'] } as const;
    // Not reached by this batch.
    const database = {} as Database;
    receiver = new KafkaReceiver(paper.kafka, settings, database, new Telemetry(silent, new Metrics('test')));
    await receiver.start();
  });
  afterEach(() => receiver.stop());

  it('a long batch is committed in parts, with heartbeats', async () => {
    await paper.eachBatch?.(payload());
    expect(reports).toEqual(['199', '399', '449'].flatMap((offset) => [`done ${offset}`, 'commit', 'alive']));
    expect(paper.deadLettered).toBe(COUNT);
  });

  it('a long batch ends when its partition is lost', async () => {
    const batch = payload();
    const heartbeat = (): Promise<void> => {
      running = false;
      return Promise.resolve();
    };
    await paper.eachBatch?.({ ...batch, heartbeat });
    expect(reports).toEqual(['done 199', 'commit']);
    expect(paper.deadLettered).toBe(200);
  });
});

describe('the events of a service that signs them', () => {
  const TOPIC = 'document.indexed.v1';
  const [current, next] = [keyPair(), keyPair()];
  let lines: string;
  let paper: KafkaOnPaper;
  let metrics: Metrics;
  let receiver: KafkaReceiver;
  let stored: number;

  const message = (signer?: EventSigner): object => {
    const { key, value, headers } = messageOf(
      {
        ...{ event_id: randomUUID(), group_id: randomUUID(), topic: TOPIC, event_key: 'D1' },
        ...{ payload: '{}', cause: 'request-1', occurred_at: '2026-01-01T00:00:00.000Z', trace: null },
      },
      signer,
    );
    const bytes = Object.entries(headers ?? {}).map(([name, text]) => [name, Buffer.from(String(text))]);
    return { key: Buffer.from(String(key)), value, headers: Object.fromEntries(bytes) as object, offset: '0' };
  };

  const signed = ({ privateKey }: typeof current): object => message(new EventSigner('retrieval', pemOf(privateKey)));

  const arrive = async (arrived: object): Promise<void> =>
    paper.eachBatch?.({
      batch: { topic: `test.${TOPIC}`, partition: 0, lastOffset: () => '0', messages: [arrived] },
      resolveOffset: () => undefined,
      commitOffsetsIfNecessary: () => Promise.resolve(),
      heartbeat: () => Promise.resolve(),
      uncommittedOffsets: () => ({ topics: [] }),
      isRunning: () => true,
      isStale: () => false,
    } as unknown as EachBatchPayload);

  beforeEach(async () => {
    [paper, metrics, stored] = [new KafkaOnPaper(), new Metrics('test'), 0];
    lines = lineOf('retrieval', current.publicKey);
    const verifier = new EventVerifier(() => lines, [TOPIC], false);
    const settings = { service: 'ingestion', prefix: 'test.', topics: [TOPIC], verifier } as const;
    const database = { ungrouped: () => Promise.resolve(void (stored += 1)) } as unknown as Database;
    receiver = new KafkaReceiver(paper.kafka, settings, database, new Telemetry(silent, metrics));
    await receiver.start();
  });
  afterEach(() => receiver.stop());

  it('an unsigned event is counted and dead-lettered, and is not stored', async () => {
    await arrive(message());
    const text = await metrics.registry.metrics();
    expect([paper.deadLettered, stored]).toEqual([1, 0]);
    expect(text).toMatch(/^acervo_events_unproven_total\{.*\} 1$/m);
    expect(text).toMatch(/^acervo_events_malformed_total\{.*\} 0$/m);
  });

  it('an event under a key that was added later is stored', async () => {
    lines += `\n${lineOf('retrieval', next.publicKey)}`;
    await arrive(signed(next));
    expect([paper.deadLettered, stored]).toEqual([0, 1]);
  });

  it('an event under an unknown key waits until the keys can be read', async () => {
    lines = 'retrieval AA';
    const arrived = arrive(signed(next));
    lines = lineOf('retrieval', next.publicKey);
    await arrived;
    expect([paper.deadLettered, stored]).toEqual([0, 1]);
  });
});
