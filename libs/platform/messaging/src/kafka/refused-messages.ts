import type { IHeaders, Kafka, Message, Producer } from 'kafkajs';
import type { ServiceName } from '@acervo/contracts';
import type { Refusal } from './intake';
import { isFinal } from './kafka-errors';
import { cut } from './pieces';
import { deadLetterTopic } from './topics';

export interface RefusedMessagesParts {
  readonly kafka: Kafka;
  readonly service: ServiceName;
  readonly prefix: string;
}

/** Where a message came from. */
export interface Place {
  /** With its prefix. */
  readonly topic: string;
  readonly partition: number;
}

/** Why a message lies here, and where it came from. */
const told = ({ message, reason }: Refusal, { topic, partition }: Place): IHeaders => ({
  refused_reason: reason,
  refused_topic: topic,
  refused_partition: String(partition),
  refused_offset: message.offset,
});

const NOTHING = Buffer.alloc(0);

/** Values of a header as the library hands them out: null for none, and beside them what objects have under some names. */
const writable = (value: unknown): Buffer[] => (value === null ? [NOTHING] : Buffer.isBuffer(value) ? [value] : []);

/** Headers as the library can write them again: it reads one without a value and cannot write it, so it becomes empty. */
const rewritable = (headers: IHeaders = {}): IHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().flatMap(writable)]));

/** What is laid aside for a message. */
interface Letter {
  /** The message as it came, with why. */
  readonly whole: Message;
  readonly why: IHeaders;
}

const letterOf = (refusal: Refusal, place: Place): Letter => {
  const { key, value, headers } = refusal.message;
  const why = told(refusal, place);
  return { whole: { key, value, headers: { ...rewritable(headers), ...why } }, why };
};

/** Lengths and numbers of a message. */
const FRAME_BYTES = 100;
const bytesIn = (value: Buffer | string | null | undefined): number => (value ? Buffer.byteLength(value) : 0);
const weightOf = ({ whole: { key, value, headers = {} } }: Letter): number =>
  Object.entries(headers)
    .flatMap(([name, values]) => [values].flat().map((each) => bytesIn(name) + bytesIn(each) + 10))
    .reduce((sum, each) => sum + each, FRAME_BYTES + bytesIn(key) + bytesIn(value));

/** Puts messages that a service cannot take to what it laid aside: they belong to no group whose key could wait. */
export class RefusedMessages {
  private producer: Promise<Producer> | undefined;

  constructor(private readonly parts: RefusedMessagesParts) {}

  /**
   * Together, as many as Kafka takes at once. Takes out of `waiting` what it has laid aside: tried again it goes on from there.
   * @throws while Kafka does not take them; the one under way may be there twice then
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

  /** What can never be sent as it came, such as what became too large by this, is told alone: its place says where it is. */
  private async sendAlone(letter: Letter): Promise<void> {
    if (!(await this.sendWhole([letter]))) await this.send([{ value: null, headers: letter.why }]);
  }

  /** Whether Kafka takes them as they came. @throws where it may take them later */
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
    const { prefix, service } = this.parts;
    const producer = await this.opened();
    await producer.send({ topic: `${prefix}${deadLetterTopic(service)}`, acks: -1, messages });
  }

  /** One for all partitions, which are taken beside each other; opened with the first message that is refused. */
  private opened(): Promise<Producer> {
    this.producer ??= this.open().catch((error: unknown) => {
      this.producer = undefined;
      throw error;
    });
    return this.producer;
  }

  private async open(): Promise<Producer> {
    const producer = this.parts.kafka.producer({ allowAutoTopicCreation: false, retry: { retries: 3 } });
    await producer.connect();
    return producer;
  }
}
