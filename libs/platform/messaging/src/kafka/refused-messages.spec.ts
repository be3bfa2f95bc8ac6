import type { IHeaders, Kafka, KafkaMessage, Message, Producer } from 'kafkajs';
import type { Refusal } from './incoming-store';
import { RefusedMessages } from './refused-messages';

/** The serialiser of the library. */
const encode = jest.requireActual<(message: Message) => unknown>('kafkajs/src/protocol/recordBatch/record/v0');

const PLACE = { topic: 'test.document.indexed.v1', partition: 3 };

const refusal = (offset: number, headers: object = {}): Refusal => ({
  message: { key: null, value: Buffer.from('x'), offset: String(offset), headers: headers as IHeaders } as KafkaMessage,
  reason: 'The message names no UUID.',
});

const tooLarge = (): Error => Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE', retriable: false });

/** A fake Kafka that keeps the messages it can serialise. */
class KafkaOnPaper {
  readonly stored: Message[] = [];
  /** The results of successive sends; undefined is success. */
  readonly failures: (Error | undefined)[] = [];

  readonly kafka = {
    producer: (): Partial<Producer> => ({
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      send: ({ messages }) => this.send(messages),
    }),
  } as unknown as Kafka;

  /** The number of messages per send. */
  readonly sendings: number[] = [];

  get offsets(): string[] {
    return this.stored.map(({ headers }) => String(headers?.['refused_offset']));
  }

  private async send(messages: readonly Message[]): Promise<[]> {
    await Promise.resolve();
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    for (const message of messages) encode(message);
    this.stored.push(...messages);
    this.sendings.push(messages.length);
    return [];
  }
}

describe('messages that are dead-lettered', () => {
  let paper: KafkaOnPaper;
  let refused: RefusedMessages;
  beforeEach(() => {
    paper = new KafkaOnPaper();
    refused = new RefusedMessages(paper.kafka, 'test.dead_letter.ingestion.v1');
  });

  it.each([
    ['null', { note: null }, { note: [Buffer.alloc(0)] }],
    ['null beside others', { note: [null, Buffer.from('y')] }, { note: [Buffer.alloc(0), Buffer.from('y')] }],
    // How the library reads a header named like a member of Object.
    ['strange', { toString: [Object.prototype.toString, Buffer.from('y')] }, { toString: [Buffer.from('y')] }],
  ])('a message is dead-lettered with its content where a header is %s', async (_name, headers, stored) => {
    await refused.put([refusal(1, headers)], PLACE);
    expect(paper.stored).toHaveLength(1);
    expect(paper.stored[0]).toMatchObject({ value: Buffer.from('x') });
    for (const [name, value] of Object.entries(stored)) expect(paper.stored[0]?.headers?.[name]).toEqual(value);
  });

  it('a message that can never be sent is reported by its origin', async () => {
    paper.failures.push(new TypeError('The "string" argument must be of type string'));
    await refused.put([refusal(7)], PLACE);
    expect(paper.stored).toMatchObject([{ value: null, headers: { refused_offset: '7', refused_partition: '3' } }]);
  });

  it('an outage between pieces dead-letters each message once', async () => {
    const waiting = [1, 2, 3, 4].map((offset) => refusal(offset, { large: Buffer.alloc(300_000) }));
    paper.failures.push(undefined, new Error('read ECONNRESET'));
    await expect(refused.put(waiting, PLACE)).rejects.toThrow('ECONNRESET');
    expect(paper.sendings).toEqual([2]);
    await refused.put(waiting, PLACE);
    expect(paper.sendings).toEqual([2, 2]);
    expect(paper.offsets).toEqual(['1', '2', '3', '4']);
    expect(waiting).toEqual([]);
  });

  it('messages refused together are sent one by one', async () => {
    const waiting = [1, 2, 3].map((offset) => refusal(offset));
    // Together, the first, and the second unchanged.
    paper.failures.push(tooLarge(), undefined, tooLarge());
    await refused.put(waiting, PLACE);
    expect(paper.offsets).toEqual(['1', '2', '3']);
    expect(paper.stored.map(({ value }) => value === null)).toEqual([false, true, false]);
  });
});
