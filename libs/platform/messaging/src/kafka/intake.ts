import type { KafkaMessage } from 'kafkajs';
import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import { INCOMING_CHANNEL } from '../embedded-relay';
import { type Envelope, envelopeOf, MalformedMessage } from './envelope';

/** Events that were handled already are left where they are; the others keep their order. */
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
select pg_notify('${INCOMING_CHANNEL}', '') from (select count(*) from taken) done`;

/** A message that reads as an event. */
export interface Arrival {
  readonly message: KafkaMessage;
  readonly event: Envelope;
}

/** A message that is no event, or one that the database can never hold. */
export interface Refusal {
  readonly message: KafkaMessage;
  /** Without anything of its content. */
  readonly reason: string;
}

/** Events and the rest, each in their order. */
export const sortOut = (
  topic: string,
  messages: readonly KafkaMessage[],
): { readonly arrivals: readonly Arrival[]; readonly refusals: readonly Refusal[] } => {
  const arrivals: Arrival[] = [];
  const refusals: Refusal[] = [];
  for (const message of messages)
    try {
      arrivals.push({ message, event: envelopeOf(topic, message) });
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      refusals.push({ message, reason: error.message });
    }
  return { arrivals, refusals };
};

/** Classes of SQLSTATE that tell of the data itself (its form, a constraint, its size): no later try ends otherwise. */
const refusalOf = (error: unknown): string | undefined => {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' && /^(22|23|54)...$/.test(code) ? `The database refuses it: ${code}.` : undefined;
};

/**
 * Writes events into `incoming`, in order. What the database refuses is looked for by halves, so that it holds up nothing
 * else. Where it fails otherwise some may have been written, and may be written again.
 * @returns what was refused
 */
export const takeIn = async (
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
    const before = await takeIn(database, service, arrivals.slice(0, middle));
    return [...before, ...(await takeIn(database, service, arrivals.slice(middle)))];
  }
};
