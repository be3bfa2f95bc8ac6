import type { IHeaders, Kafka, Message, Producer } from 'kafkajs';
import type { ServiceName } from '@acervo/contracts';
import type { Refusal } from './intake';
import { isTooLarge } from './kafka-client';
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

/** The message as it came, with what tells why it lies here. */
const laidAside = ({ message, reason }: Refusal, { topic, partition }: Place): Message => {
  const told: IHeaders = {
    refused_reason: reason,
    refused_topic: topic,
    refused_partition: String(partition),
    refused_offset: message.offset,
  };
  return { key: message.key, value: message.value, headers: { ...message.headers, ...told } };
};

/** Puts messages that a service cannot take to what it laid aside: they belong to no group whose key could wait. */
export class RefusedMessages {
  private producer: Producer | undefined;

  constructor(private readonly parts: RefusedMessagesParts) {}

  /** @throws while Kafka does not take them; some may be there twice then */
  async put(refusals: readonly Refusal[], place: Place): Promise<void> {
    for (const refusal of refusals) await this.putOne(laidAside(refusal, place));
  }

  async close(): Promise<void> {
    await this.producer?.disconnect().catch(() => undefined);
  }

  /** What became too large by what is told beside it goes without its value: its place says where that is. */
  private async putOne(message: Message): Promise<void> {
    try {
      await this.send(message);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      await this.send({ ...message, value: null });
    }
  }

  private async send(message: Message): Promise<void> {
    const { prefix, service } = this.parts;
    const producer = await this.opened();
    await producer.send({ topic: `${prefix}${deadLetterTopic(service)}`, acks: -1, messages: [message] });
  }

  private async opened(): Promise<Producer> {
    if (this.producer !== undefined) return this.producer;
    const producer = this.parts.kafka.producer({ allowAutoTopicCreation: false, retry: { retries: 3 } });
    await producer.connect();
    this.producer = producer;
    return producer;
  }
}
