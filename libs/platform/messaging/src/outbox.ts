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

/** An event of one topic, with the trace that caused it; that of the work in progress where it is absent. */
export interface Fact<P extends object> {
  readonly payload: P;
  readonly trace?: string | null | undefined;
}

/** Publishes the events of one service. An event is written in the transaction that makes it true, or not at all. */
@Injectable()
export class Outbox {
  constructor(@Inject(SERVICE_NAME) private readonly service: ServiceName) {}

  /** Writes the event within the transaction, under its group; a relay publishes it after the commit. */
  async append<P extends object>(tx: Transaction, event: Event<P>, payload: P): Promise<void> {
    await this.appendAll(tx, event, [{ payload }]);
  }

  /** Writes events of one topic in their order, in one statement. */
  async appendAll<P extends object>(tx: Transaction, event: Event<P>, facts: readonly Fact<P>[]): Promise<void> {
    const { groupId } = tx;
    if (groupId === null) throw new Error(`${event.topic} has no group; publish it in a transaction under one.`);
    if (event.producer !== 'any' && event.producer !== this.service)
      throw new Error(`${event.topic} is an event of ${event.producer}; ${this.service} cannot publish it.`);
    if (facts.length === 0) return;
    const current = workContext.traceparent();
    const rows = facts.map(({ payload, trace = current }, place) => {
      const key = event.key(payload);
      return { place, lane: partitionOf(groupId, key), key, payload: encode(event.payload, payload), trace };
    });
    await tx.prepared(
      `with written as (
         insert into ${this.service}.outbox (lane, group_id, topic, event_key, payload, cause, trace)
         select lane, $1::uuid, $2::text, key, payload, $4::text, trace
         from jsonb_to_recordset($3::jsonb) as given (place int, lane int, key text, payload jsonb, trace text)
         order by place)
       select pg_notify('${OUTBOX_CHANNEL}', '${this.service}')`,
      [groupId, event.topic, JSON.stringify(rows), workContext.get()?.requestId ?? this.service],
    );
  }
}
