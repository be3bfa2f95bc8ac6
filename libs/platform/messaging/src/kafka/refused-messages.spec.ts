import type { IHeaders, Kafka, KafkaMessage, Message, Producer } from 'kafkajs';
import type { Refusal } from './intake';
import { RefusedMessages } from './refused-messages';

/** The library's own way to write down a message. */
const encode = jest.requireActual<(message: Message) => unknown>('kafkajs/src/protocol/recordBatch/record/v0');

const PLACE = { topic: 'test.document.indexed.v1', partition: 3 };

const refusal = (offset: number, headers: object = {}): Refusal => ({
  message: { key: null, value: Buffer.from('x'), offset: String(offset), headers: headers as IHeaders } as KafkaMessage,
  reason: 'The message names no UUID.',
});

const tooLarge = (): Error => Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE', retriable: false });

/** Kafka on paper, which keeps what it can write down. */
class KafkaOnPaper {
  readonly kept: Message[] = [];
  /** What becomes of one sending after the other; undefined is success. */
  readonly failures: (Error | undefined)[] = [];

  readonly kafka = {
    producer: (): Partial<Producer> => ({
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      send: ({ messages }) => this.send(messages),
    }),
  } as unknown as Kafka;

  /** How many went each time. */
  readonly sendings: number[] = [];

  get offsets(): string[] {
    return this.kept.map(({ headers }) => String(headers?.['refused_offset']));
  }

  private async send(messages: readonly Message[]): Promise<[]> {
    await Promise.resolve();
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    for (const message of messages) encode(message);
    this.kept.push(...messages);
    this.sendings.push(messages.length);
    return [];
  }
}

describe('messages that are laid aside', () => {
  let paper: KafkaOnPaper;
  let refused: RefusedMessages;
  beforeEach(() => {
    paper = new KafkaOnPaper();
    refused = new RefusedMessages({ kafka: paper.kafka, service: 'ingestion', prefix: 'test.' });
  });

  it.each([
    ['null', { note: null }, { note: [Buffer.alloc(0)] }],
    ['null beside others', { note: [null, Buffer.from('y')] }, { note: [Buffer.alloc(0), Buffer.from('y')] }],
    // As the library reads a header with the name of something that every object has.
    ['strange', { toString: [Object.prototype.toString, Buffer.from('y')] }, { toString: [Buffer.from('y')] }],
  ])('are there with their content where a header of theirs is %s', async (_name, headers, kept) => {
    await refused.put([refusal(1, headers)], PLACE);
    expect(paper.kept).toHaveLength(1);
    expect(paper.kept[0]).toMatchObject({ value: Buffer.from('x') });
    for (const [name, value] of Object.entries(kept)) expect(paper.kept[0]?.headers?.[name]).toEqual(value);
  });

  it('are told by their place alone where they can never be sent as they came', async () => {
    paper.failures.push(new TypeError('The "string" argument must be of type string'));
    await refused.put([refusal(7)], PLACE);
    expect(paper.kept).toMatchObject([{ value: null, headers: { refused_offset: '7', refused_partition: '3' } }]);
  });

  it('go together, and are there once when Kafka goes away between the pieces', async () => {
    const waiting = [1, 2, 3, 4].map((offset) => refusal(offset, { large: Buffer.alloc(300_000) }));
    paper.failures.push(undefined, new Error('read ECONNRESET'));
    await expect(refused.put(waiting, PLACE)).rejects.toThrow('ECONNRESET');
    expect(paper.sendings).toEqual([2]);
    await refused.put(waiting, PLACE);
    expect(paper.sendings).toEqual([2, 2]);
    expect(paper.offsets).toEqual(['1', '2', '3', '4']);
    expect(waiting).toEqual([]);
  });

  it('go one by one where they cannot go together', async () => {
    const waiting = [1, 2, 3].map((offset) => refusal(offset));
    // Together, the first, and the second as it came.
    paper.failures.push(tooLarge(), undefined, tooLarge());
    await refused.put(waiting, PLACE);
    expect(paper.offsets).toEqual(['1', '2', '3']);
    expect(paper.kept.map(({ value }) => value === null)).toEqual([false, true, false]);
  });
});
