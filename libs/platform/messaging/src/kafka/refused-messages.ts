import type { IHeaders, Kafka, Message, Producer } from 'kafkajs';
import type { Refusal } from './incoming-store';
import { isFinal } from './kafka-errors';
import { cut } from './pieces';

/** Where a message came from. */
export interface Place {
  /** Includes the prefix. */
  readonly topic: string;
  readonly partition: number;
}

/** Headers with the reason of a refusal and the origin of the message. */
const refusalHeaders = ({ message, reason }: Refusal, { topic, partition }: Place): IHeaders => ({
  refused_reason: reason,
  refused_topic: topic,
  refused_partition: String(partition),
  refused_offset: message.offset,
});

const NOTHING = Buffer.alloc(0);

/**
 * Values of a header as the library returns them: null for none. Under some names it returns inherited members of
 * objects, which are dropped.
 */
const writable = (value: unknown): Buffer[] => (value === null ? [NOTHING] : Buffer.isBuffer(value) ? [value] : []);

/**
 * Headers as the library can write them. It reads a header without a value but cannot write it, so the value becomes
 * empty.
 */
const rewritable = (headers: IHeaders = {}): IHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().flatMap(writable)]));

/** The dead letter of a message. */
interface Letter {
  /** The unchanged message with the headers of its refusal. */
  readonly whole: Message;
  readonly why: IHeaders;
}

const letterOf = (refusal: Refusal, place: Place): Letter => {
  const { key, value, headers } = refusal.message;
  const why = refusalHeaders(refusal, place);
  return { whole: { key, value, headers: { ...rewritable(headers), ...why } }, why };
};

/** Constant overhead of a message: lengths and numbers. */
const FRAME_BYTES = 100;
const bytesIn = (value: Buffer | string | null | undefined): number => (value ? Buffer.byteLength(value) : 0);
const weightOf = ({ whole: { key, value, headers = {} } }: Letter): number =>
  Object.entries(headers)
    .flatMap(([name, values]) => [values].flat().map((each) => bytesIn(name) + bytesIn(each) + 10))
    .reduce((sum, each) => sum + each, FRAME_BYTES + bytesIn(key) + bytesIn(value));

/** Sends refused messages to the dead-letter topic of a service: they have no group whose key could be parked. */
export class RefusedMessages {
  private producer: Promise<Producer> | undefined;

  /** @param topic the dead-letter topic; includes the prefix */
  constructor(
    private readonly kafka: Kafka,
    private readonly topic: string,
  ) {}

  /**
   * Sends messages in pieces as large as Kafka accepts. Removes sent messages from `waiting`, so that a retry continues
   * there.
   * @throws while Kafka does not accept them; the current message may then be sent twice
   */
  async put(waiting: Refusal[], place: Place): Promise<void> {
    const letters = waiting.map((refusal) => letterOf(refusal, place));
    for (const piece of cut(letters, weightOf))
      if (piece.length > 1 && (await this.sendWhole(piece))) waiting.splice(0, piece.length);
      else
        for (const letter of piece) {
          await this.sendAlone(letter);
          waiting.shift();
        }
  }

  async close(): Promise<void> {
    const producer = await this.producer?.catch(() => undefined);
    await producer?.disconnect().catch(() => undefined);
  }

  /**
   * Sends only the refusal headers of a message that can never be sent unchanged, such as one that they make too large.
   * Its origin names where the message is.
   */
  private async sendAlone(letter: Letter): Promise<void> {
    if (!(await this.sendWhole([letter]))) await this.send([{ value: null, headers: letter.why }]);
  }

  /** Answers whether Kafka accepts the unchanged messages. @throws where a retry may succeed */
  private async sendWhole(letters: readonly Letter[]): Promise<boolean> {
    try {
      await this.send(letters.map(({ whole }) => whole));
      return true;
    } catch (error) {
      if (!isFinal(error)) throw error;
      return false;
    }
  }

  private async send(messages: Message[]): Promise<void> {
    const producer = await this.opened();
    await producer.send({ topic: this.topic, acks: -1, messages });
  }

  /** One producer for all partitions, which are processed concurrently; opened with the first refused message. */
  private opened(): Promise<Producer> {
    this.producer ??= this.open().catch((error: unknown) => {
      this.producer = undefined;
      throw error;
    });
    return this.producer;
  }

  private async open(): Promise<Producer> {
    const producer = this.kafka.producer({ allowAutoTopicCreation: false, retry: { retries: 3 } });
    await producer.connect();
    return producer;
  }
}
