import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import { readTraceparent, traceparentOf } from '@acervo/platform-observability';
import { type EventSignature, type EventSigner, type EventVerifier, yieldAfter } from './signatures';

/** An event between its outbox row and the incoming rows of its subscribers. */
export interface Envelope {
  readonly event_id: string;
  readonly group_id: string;
  readonly topic: string;
  readonly event_key: string;
  readonly payload: unknown;
  readonly cause: string;
  /** ISO 8601 */
  readonly occurred_at: string;
  /** The trace of the event, as the W3C header `traceparent`; null where none was sent. */
  readonly trace: string | null;
}

/** An event as its outbox row contains it: a relay forwards the payload without reading it. */
export type WrittenEvent = Omit<Envelope, 'payload'> & {
  /** JSON */
  readonly payload: string;
};

/** A message that is no valid event: it names no group, or a group other than its key. */
export class MalformedMessage extends Error {
  constructor(what: string) {
    super(`The message ${what}.`);
    this.name = 'MalformedMessage';
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** A timestamp as in JSON; a time zone is required, never guessed. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
const keyOf = (group: string, key: string): string => `${group}:${key}`;

/**
 * The message of an event: its key contains the group, so that groups do not share an order. A signer adds the name of
 * the producer and its signature.
 */
export const messageOf = (event: WrittenEvent, signer?: EventSigner): Message => {
  const value = Buffer.from(event.payload);
  return {
    key: keyOf(event.group_id, event.event_key),
    value,
    headers: {
      event_id: event.event_id,
      group_id: event.group_id,
      event_key: event.event_key,
      cause: event.cause,
      occurred_at: event.occurred_at,
      ...(event.trace === null ? {} : { traceparent: event.trace }),
      ...signer?.sign(event, value),
    },
  };
};

/** The messages of events by their topics, which keep their order. Yields between many signatures. */
export const messagesByTopic = async (
  events: readonly WrittenEvent[],
  signer?: EventSigner,
): Promise<ReadonlyMap<string, Message[]>> => {
  const byTopic = new Map<string, Message[]>();
  for (const [index, event] of events.entries()) {
    const messages = byTopic.get(event.topic) ?? [];
    messages.push(messageOf(event, signer));
    byTopic.set(event.topic, messages);
    await yieldAfter(index + 1);
  }
  return byTopic;
};

const headerOf = (headers: IHeaders | undefined, name: string): string => {
  // The library returns null for a header without a value, contrary to its types.
  const value = headers?.[name] ?? undefined;
  if (value === undefined || Array.isArray(value)) throw new MalformedMessage(`has no single header ${name}`);
  const text = value.toString();
  if (text.includes('\0')) throw new MalformedMessage(`has a character in ${name} that no text has`);
  return text;
};

/** An unreadable trace is dropped; the event is kept. */
const traceOf = (headers: IHeaders | undefined): string | null => {
  const value = headers?.['traceparent'];
  const trace = Array.isArray(value) ? undefined : readTraceparent(value?.toString());
  return trace === undefined ? null : traceparentOf(trace);
};

const parsed = (value: Buffer | null): unknown => {
  try {
    return JSON.parse(value?.toString() ?? '');
  } catch {
    throw new MalformedMessage('is no JSON');
  }
};

const payloadOf = (value: Buffer | null): object => {
  const payload = parsed(value);
  if (typeof payload !== 'object' || payload === null) throw new MalformedMessage('is no JSON object');
  return payload;
};

/** Undefined where the message names no producer. */
const signatureOf = (headers: IHeaders | undefined): EventSignature | undefined =>
  (headers?.['producer'] ?? headers?.['signature'] ?? undefined) === undefined
    ? undefined
    : { producer: headerOf(headers, 'producer'), signature: headerOf(headers, 'signature') };

/**
 * The event of a message.
 * @param verifier absent where events are not signed
 * @throws MalformedMessage; UnprovenEvent
 */
export const envelopeOf = (
  topic: string,
  { key, value, headers }: KafkaMessage,
  verifier?: EventVerifier,
): Envelope => {
  const read = (name: string): string => headerOf(headers, name);
  const event = {
    event_id: read('event_id'),
    group_id: read('group_id'),
    topic,
    event_key: read('event_key'),
    payload: payloadOf(value),
    cause: read('cause'),
    occurred_at: read('occurred_at'),
    trace: traceOf(headers),
  };
  for (const id of [event.event_id, event.group_id]) if (!UUID.test(id)) throw new MalformedMessage('names no UUID');
  if (key?.toString() !== keyOf(event.group_id, event.event_key))
    throw new MalformedMessage('names another group than its key');
  if (!MOMENT.test(event.occurred_at) || Number.isNaN(Date.parse(event.occurred_at)))
    throw new MalformedMessage('has no time');
  verifier?.assertProven(event, value ?? Buffer.alloc(0), signatureOf(headers));
  return event;
};
