import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { encode, type Event, type ServiceName } from '@acervo/contracts';
import { SERVICE_NAME } from '@acervo/platform-config';
import type { Transaction } from '@acervo/platform-database';
import { workContext } from '@acervo/platform-observability';
import { PARTITIONS } from './schema';

export const OUTBOX_CHANNEL = 'acervo_outbox';

/** The partition of a key; it never changes. */
export const partitionOf = (groupId: string, key: string): number =>
  createHash('sha1').update(`${groupId}:${key}`).digest().readUInt32BE(0) % PARTITIONS;

/** Publishes the events of one service. An event is written in the transaction that makes it true, or not at all. */
@Injectable()
export class Outbox {
  constructor(@Inject(SERVICE_NAME) private readonly service: ServiceName) {}

  /** Writes the event within the transaction, under its group; a relay publishes it after the commit. */
  async append<P extends object>(tx: Transaction, event: Event<P>, payload: P): Promise<void> {
    if (tx.groupId === null) throw new Error(`${event.topic} has no group; publish it in a transaction under one.`);
    if (event.producer !== 'any' && event.producer !== this.service)
      throw new Error(`${event.topic} is an event of ${event.producer}; ${this.service} cannot publish it.`);
    const key = event.key(payload);
    await tx.prepared(
      `with written as (
         insert into ${this.service}.outbox (lane, group_id, topic, event_key, payload, cause, trace)
         values ($1, $2, $3, $4, $5::jsonb, $6, $7))
       select pg_notify('${OUTBOX_CHANNEL}', '${this.service}')`,
      [
        partitionOf(tx.groupId, key),
        tx.groupId,
        event.topic,
        key,
        JSON.stringify(encode(event.payload, payload)),
        workContext.get()?.requestId ?? this.service,
        workContext.traceparent(),
      ],
    );
  }
}
