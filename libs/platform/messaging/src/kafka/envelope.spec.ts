import { randomUUID } from 'node:crypto';
import type { KafkaMessage, Message } from 'kafkajs';
import { type Envelope, envelopeOf, MalformedMessage, messageOf, type WrittenEvent } from './envelope';

const TOPIC = 'document.indexed.v1';
const TRACEPARENT = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;

const event = (trace: string | null): Envelope => ({
  event_id: randomUUID(),
  group_id: randomUUID(),
  topic: TOPIC,
  event_key: 'D1',
  payload: { revision: 1 },
  cause: 'request-1',
  occurred_at: '2026-01-01T00:00:00.000Z',
  trace,
});

/** The outbox row of an event. */
const written = (sent: Envelope): WrittenEvent => ({ ...sent, payload: JSON.stringify(sent.payload) });

/** A message as a broker returns it: bytes. */
const received = (
  { key, value, headers = {} }: Message,
  more: Record<string, string | string[]> = {},
): KafkaMessage => {
  const all = { ...(headers as Record<string, string>), ...more };
  const bytes = Object.entries(all).map(([name, text]) => [
    name,
    Array.isArray(text) ? text.map((each) => Buffer.from(each)) : Buffer.from(text),
  ]);
  return {
    key: Buffer.from(key ?? ''),
    value: Buffer.from(value ?? ''),
    headers: Object.fromEntries(bytes) as KafkaMessage['headers'],
  } as KafkaMessage;
};

describe('the message of an event', () => {
  it.each([TRACEPARENT, null])('a message decodes to its event, with the trace %s', (trace) => {
    const sent = event(trace);
    expect(envelopeOf(TOPIC, received(messageOf(written(sent))))).toEqual(sent);
  });
  it('a message has its trace in the standard header', () => {
    expect(messageOf(written(event(TRACEPARENT))).headers).toHaveProperty('traceparent', TRACEPARENT);
    expect(messageOf(written(event(null))).headers).not.toHaveProperty('traceparent');
  });
  it.each([
    ['a text', 'x'.repeat(500)],
    ['two traces', [TRACEPARENT, TRACEPARENT]],
    ['nothing', ''],
  ])('a message whose trace is %s is an event without one', (_name, traceparent) => {
    const sent = event(null);
    expect(envelopeOf(TOPIC, received(messageOf(written(sent)), { traceparent }))).toEqual(sent);
  });
  it.each([
    ['no JSON', { payload: '{' }],
    ['no object', { payload: 'null' }],
    ['of a day', { occurred_at: '2026-01-01' }],
    ['of a time as people write it', { occurred_at: 'Thu, 01 Jan 2026 00:00:00 GMT' }],
    ['of a time without its zone', { occurred_at: '2026-01-01T00:00:00' }],
    ['with a key that no text has', { event_key: 'D\0' }],
    ['with a cause that no text has', { cause: 'request\0' }],
  ])('a message is no event when it is %s', (_name, more) => {
    expect(() => envelopeOf(TOPIC, received(messageOf({ ...written(event(null)), ...more })))).toThrow(
      MalformedMessage,
    );
  });
  it.each(['2026-01-01T00:00:00+00:00', '2026-01-01T05:30:00.123456+05:30', '2026-01-01T00:00:00.5Z'])(
    'a timestamp of databases and programs is accepted: %s',
    (moment) => {
      const sent = { ...event(null), occurred_at: moment };
      expect(envelopeOf(TOPIC, received(messageOf(written(sent))))).toEqual(sent);
    },
  );
  it.each(['event_id', 'cause'])('a message whose header %s is empty is no event', (name) => {
    const message = received(messageOf(written(event(null))));
    const headers = { ...message.headers, [name]: null } as unknown as KafkaMessage['headers'];
    expect(() => envelopeOf(TOPIC, { ...message, headers } as KafkaMessage)).toThrow(MalformedMessage);
  });
  it('a message without the group of its key is no event', () => {
    const message = received(messageOf(written(event(null))), { group_id: randomUUID() });
    expect(() => envelopeOf(TOPIC, message)).toThrow(MalformedMessage);
  });
});
