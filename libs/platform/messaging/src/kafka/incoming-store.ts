import type { KafkaMessage } from 'kafkajs';
import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import { INCOMING_CHANNEL } from '../embedded-relay';
import { type Envelope, envelopeOf, MalformedMessage } from './envelope';
import { type EventVerifier, UnprovenEvent, yieldAfter } from './signatures';

/** Skips events that are already handled; the others keep their order. */
const takeSql = (service: string): string => `
with arrived as (
  select event_id, group_id, topic, event_key, payload, cause, occurred_at, trace, ord
  from rows from (jsonb_to_recordset($1::jsonb) as (event_id uuid, group_id uuid, topic text, event_key text,
    payload jsonb, cause text, occurred_at timestamptz, trace text)) with ordinality
    as a (event_id, group_id, topic, event_key, payload, cause, occurred_at, trace, ord)
  where not exists (select from ${service}.inbox i where i.event_id = a.event_id)),
 taken as (
  insert into ${service}.incoming (event_id, group_id, topic, event_key, payload, cause, occurred_at, trace)
  select event_id, group_id, topic, event_key, payload, cause, occurred_at, trace from arrived order by ord returning 1)
select pg_notify('${INCOMING_CHANNEL}', '${service}') from (select count(*) from taken) done`;

/** A message that parses as an event. */
export interface Arrival {
  readonly message: KafkaMessage;
  readonly event: Envelope;
}

/** A message that is no event, whose producer is not proven, or that the database can never store. */
export interface Refusal {
  readonly message: KafkaMessage;
  readonly isUnproven?: boolean;
  /** Contains nothing of the message's content. */
  readonly reason: string;
}

/** Separates events from refused messages; each list keeps its order. Yields between many signatures. */
export const sortOut = async (
  topic: string,
  messages: readonly KafkaMessage[],
  verifier?: EventVerifier,
): Promise<{ readonly arrivals: readonly Arrival[]; readonly refusals: readonly Refusal[] }> => {
  const arrivals: Arrival[] = [];
  const refusals: Refusal[] = [];
  for (const [index, message] of messages.entries()) {
    try {
      arrivals.push({ message, event: envelopeOf(topic, message, verifier) });
    } catch (error) {
      const isUnproven = error instanceof UnprovenEvent;
      if (!isUnproven && !(error instanceof MalformedMessage)) throw error;
      refusals.push({ message, reason: error.message, isUnproven });
    }
    await yieldAfter(index + 1);
  }
  return { arrivals, refusals };
};

/** Classes of SQLSTATE about the data itself (its form, a constraint, its size): a retry fails the same way. */
const refusalOf = (error: unknown): string | undefined => {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' && /^(22|23|54)...$/.test(code) ? `The database refuses it: ${code}.` : undefined;
};

/**
 * Writes events into `incoming`, in order. Bisects a batch that the database refuses, so that a refused event does not
 * block the others. After any other failure, some events may be written, and may be written again.
 * @returns the refused messages
 */
export const storeIncoming = async (
  database: Database,
  service: ServiceName,
  arrivals: readonly Arrival[],
): Promise<readonly Refusal[]> => {
  const [first] = arrivals;
  if (first === undefined) return [];
  try {
    const events = JSON.stringify(arrivals.map(({ event }) => event));
    await database.ungrouped((tx) => tx.query(takeSql(service), [events]));
    return [];
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    if (arrivals.length === 1) return [{ message: first.message, reason }];
    const middle = arrivals.length >> 1;
    const before = await storeIncoming(database, service, arrivals.slice(0, middle));
    return [...before, ...(await storeIncoming(database, service, arrivals.slice(middle)))];
  }
};
