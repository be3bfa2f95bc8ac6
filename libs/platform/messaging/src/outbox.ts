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
  append<P extends object>(tx: Transaction, event: Event<P>, payload: P): Promise<void> {
    return this.appendAll(tx, event, [payload]);
  }

  /** Writes several events of one topic by one statement, in their order. */
  async appendAll<P extends object>(tx: Transaction, event: Event<P>, payloads: readonly P[]): Promise<void> {
    const { groupId } = tx;
    if (groupId === null) throw new Error(`${event.topic} has no group; publish it in a transaction under one.`);
    if (event.producer !== 'any' && event.producer !== this.service)
      throw new Error(`${event.topic} is an event of ${event.producer}; ${this.service} cannot publish it.`);
    if (payloads.length === 0) return;
    const rows = payloads.map((payload) => {
      const key = event.key(payload);
      return { lane: partitionOf(groupId, key), key, payload: encode(event.payload, payload) };
    });
    await tx.prepared(
      `with written as (
         insert into ${this.service}.outbox (lane, group_id, topic, event_key, payload, cause, trace)
         select e.lane, $1, $2, e.key, e.payload, $3, $4
         from rows from (jsonb_to_recordset($5::jsonb) as (lane int, key text, payload jsonb)) with ordinality
           as e (lane, key, payload, place)
         order by e.place)
       select pg_notify('${OUTBOX_CHANNEL}', '${this.service}')`,
      [
        ...[groupId, event.topic],
        workContext.get()?.requestId ?? this.service,
        workContext.traceparent(),
        JSON.stringify(rows),
      ],
    );
  }
}
