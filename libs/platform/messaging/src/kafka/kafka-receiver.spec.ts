import { EventEmitter } from 'node:events';
import type { ConsumerRunConfig, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import type { Database } from '@acervo/platform-database';
import { Metrics } from '@acervo/platform-observability';
import { silent } from '../../test/support';
import { KafkaReceiver } from './kafka-receiver';

/** A consumer that hands over what the test says, and a producer that counts; brokers are in the suites of the stack. */
class KafkaOnPaper extends EventEmitter {
  readonly events = { CRASH: 'consumer.crash', GROUP_JOIN: 'consumer.group_join' };
  eachBatch: ConsumerRunConfig['eachBatch'];
  laidAside = 0;

  readonly kafka = {
    consumer: () => this,
    producer: () => ({
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      send: ({ messages }: { messages: readonly unknown[] }) => {
        this.laidAside += messages.length;
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
  let told: string[];
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
      resolveOffset: (offset: string) => told.push(`done ${offset}`),
      commitOffsetsIfNecessary: () => Promise.resolve(void told.push('commit')),
      heartbeat: () => Promise.resolve(void told.push('alive')),
      uncommittedOffsets: () => ({ topics: [] }),
      isRunning: () => running,
      isStale: () => false,
    } as unknown as EachBatchPayload;
  };

  beforeEach(async () => {
    told = [];
    running = true;
    paper = new KafkaOnPaper();
    receiver = new KafkaReceiver({
      ...{ service: 'ingestion', kafka: paper.kafka, prefix: 'test.', topics: ['document.indexed.v1'] },
      // Nothing of this batch gets so far.
      database: {} as Database,
      ...{ logger: silent, metrics: new Metrics('test') },
    });
    await receiver.start();
  });
  afterEach(() => receiver.stop());

  it('is told to Kafka in parts, so that the process is not taken for dead and none comes again', async () => {
    await paper.eachBatch?.(payload());
    expect(told).toEqual(['199', '399', '449'].flatMap((offset) => [`done ${offset}`, 'commit', 'alive']));
    expect(paper.laidAside).toBe(COUNT);
  });

  it('ends where the partition is no longer ours', async () => {
    const batch = payload();
    const heartbeat = (): Promise<void> => {
      running = false;
      return Promise.resolve();
    };
    await paper.eachBatch?.({ ...batch, heartbeat });
    expect(told).toEqual(['done 199', 'commit']);
    expect(paper.laidAside).toBe(200);
  });
});
