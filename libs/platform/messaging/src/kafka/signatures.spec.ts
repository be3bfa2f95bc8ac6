import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import type { KafkaMessage, Message } from 'kafkajs';
import { auditRecorded, documentPrepared, type ServiceName, userDependentsDeleted } from '@acervo/contracts';
import { keyPair, lineOf, pemOf } from '../../test/event-keys';
import { turnsDuring } from '../../test/loop-turns';
import { envelopeOf, messageOf, messagesByTopic, type WrittenEvent } from './envelope';
import { sortOut } from './incoming-store';
import { EventSigner, EventVerifier, UnprovenEvent, UnusableEventKey } from './signatures';

const [ingestion, ingestionNext, chat] = [keyPair(), keyPair(), keyPair()];
const KEYS = [
  lineOf('ingestion', ingestion.publicKey),
  lineOf('ingestion', ingestionNext.publicKey),
  lineOf('chat', chat.publicKey),
].join('\n');
const TOPIC = documentPrepared.topic;

const event = (more: Partial<WrittenEvent> = {}): WrittenEvent => ({
  ...{ event_id: randomUUID(), group_id: randomUUID(), topic: TOPIC, event_key: 'D1' },
  ...{ payload: '{"revision":1}', cause: 'request-1', occurred_at: '2026-01-01T00:00:00.000Z', trace: null },
  ...more,
});

const signedBy = (service: ServiceName, key: KeyObject, sent: WrittenEvent): Message =>
  messageOf(sent, new EventSigner(service, pemOf(key)));

/** A message as a broker returns it, with changed headers. */
const received = ({ key, value, headers }: Message, changed: Record<string, string | undefined> = {}): KafkaMessage => {
  const texts = Object.entries({ ...headers, ...changed }).filter(([, text]) => text !== undefined);
  return {
    ...{ key: Buffer.from(key ?? ''), value: Buffer.from(value ?? '') },
    headers: Object.fromEntries(texts.map(([name, text]) => [name, Buffer.from(text as string)])),
  } as KafkaMessage;
};

const read = (message: KafkaMessage, topic = TOPIC, unsigned = false) =>
  envelopeOf(topic, message, new EventVerifier(() => KEYS, [TOPIC], unsigned));

describe('a signed event', () => {
  it.each([
    ['its key', ingestion],
    ['its next key', ingestionNext],
  ])('an event that its producer signed with %s is read', (_which, { privateKey }) => {
    const sent = event();
    expect(read(received(signedBy('ingestion', privateKey, sent)))).toMatchObject({ event_id: sent.event_id });
  });

  it('any service may sign an event that all publish', () => {
    const sent = event({ topic: auditRecorded.topic });
    const message = received(signedBy('chat', chat.privateKey, sent));
    expect(read(message, auditRecorded.topic)).toMatchObject({ event_id: sent.event_id });
  });

  const other = randomUUID();
  it.each<[string, Partial<WrittenEvent>]>([
    ['id', { event_id: other }],
    ['group', { group_id: other }],
    ['key', { event_key: 'D2' }],
    ['payload', { payload: '{"revision":2}' }],
    ['cause', { cause: 'request-2' }],
    ['time', { occurred_at: '2026-01-02T00:00:00.000Z' }],
  ])('an event with another %s than the signed one is refused', (_what, changed) => {
    const sent = event();
    const { producer, signature } = signedBy('ingestion', ingestion.privateKey, sent).headers as Record<string, string>;
    const forged = received(messageOf({ ...sent, ...changed }), { producer, signature });
    expect(() => read(forged)).toThrow(/no key of its producer/);
  });

  it('a signed event on another topic is refused', () => {
    const message = received(signedBy('ingestion', ingestion.privateKey, event()));
    expect(() => read(message, auditRecorded.topic)).toThrow(/no key of its producer/);
  });

  it('a service cannot sign an event of another one', () => {
    const sent = signedBy('chat', chat.privateKey, event());
    expect(() => read(received(sent))).toThrow(/does not publish its topic/);
    expect(() => read(received(sent, { producer: 'ingestion' }))).toThrow(/no key of its producer/);
  });

  it('a service answers a deletion of a user in its own name alone', () => {
    const { topic } = userDependentsDeleted;
    const answer = (service: string): unknown => {
      const sent = event({ topic, payload: JSON.stringify({ user_id: randomUUID(), service }) });
      return read(received(signedBy('chat', chat.privateKey, sent)), topic);
    };
    expect(answer('chat')).toMatchObject({ topic });
    expect(() => answer('operations')).toThrow(/names another producer/);
  });

  it.each(['', 'AAAA', 'no base64 at all'])('the signature "%s" is refused', (signature) => {
    const message = received(signedBy('ingestion', ingestion.privateKey, event()), { signature });
    expect(() => read(message)).toThrow(/no key of its producer/);
  });

  it('an unsigned event is refused unless programs may still send it', () => {
    const message = received(messageOf(event()));
    expect(() => read(message)).toThrow(/has no signature/);
    expect(read(message, TOPIC, true)).toMatchObject({ topic: TOPIC });
  });
});

describe('many signatures', () => {
  const events = Array.from({ length: 200 }, (_, index) => event({ event_key: `D${index}` }));
  const keys = events.map(({ event_key: key }) => key);

  it('other work goes on while many events are signed in order', async () => {
    let signed: readonly Message[] = [];
    const signer = new EventSigner('ingestion', pemOf(ingestion.privateKey));
    const turns = await turnsDuring(async () => (signed = (await messagesByTopic(events, signer)).get(TOPIC) ?? []));
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(signed.map(({ headers }) => headers?.['event_key'])).toEqual(keys);
  });

  it('other work goes on while many events are verified in order', async () => {
    const verifier = new EventVerifier(() => KEYS, [TOPIC], false);
    const messages = events.map((sent) => received(signedBy('ingestion', ingestion.privateKey, sent)));
    let found: readonly string[] = [];
    const verify = async (): Promise<void> => {
      const { arrivals } = await sortOut(TOPIC, messages, verifier);
      found = arrivals.map((arrival) => arrival.event.event_key);
    };
    expect(await turnsDuring(verify)).toBeGreaterThanOrEqual(3);
    expect(found).toEqual(keys);
  });
});

describe('the keys of events', () => {
  it.each([
    ['no PEM', 'secret text'],
    ['another curve', pemOf(generateKeyPairSync('ed25519').privateKey)],
  ])('a private key of %s is refused without its text', (_what, pem) => {
    expect(() => new EventSigner('chat', pem)).toThrow(UnusableEventKey);
    expect(() => new EventSigner('chat', pem)).not.toThrow(/secret text|BEGIN/);
  });

  it.each([
    ['of an unknown service', lineOf('stranger', chat.publicKey)],
    ['without a key', 'chat'],
    ['with half a key', 'chat AAAA'],
  ])('a line %s is refused', (_what, line) => {
    expect(() => new EventVerifier(() => line, [], false)).toThrow(UnusableEventKey);
  });

  it('keys without one of a producer are refused by its name', () => {
    expect(() => new EventVerifier(() => lineOf('chat', chat.publicKey), [TOPIC], false)).toThrow(
      /also of ingestion\./,
    );
  });

  it('a topic that all services publish needs the key of each', () => {
    const verifying = (): unknown => new EventVerifier(() => KEYS, [auditRecorded.topic], false);
    expect(verifying).toThrow(/also of auth, retrieval, operations, gateway\./);
  });
});

describe('keys that change while a service runs', () => {
  const FIRST = lineOf('ingestion', ingestion.publicKey);
  let lines: string;
  let verifier: EventVerifier;
  const readBy = ({ privateKey }: typeof ingestion): unknown =>
    envelopeOf(TOPIC, received(signedBy('ingestion', privateKey, event())), verifier);

  beforeEach(() => {
    lines = FIRST;
    verifier = new EventVerifier(() => lines, [TOPIC], false);
  });

  it('an event under a key that was added later is read', () => {
    expect(() => readBy(ingestionNext)).toThrow(UnprovenEvent);
    lines = `${FIRST}\n${lineOf('ingestion', ingestionNext.publicKey)}`;
    expect(readBy(ingestionNext)).toMatchObject({ topic: TOPIC });
  });

  it.each([
    ['broken', `${FIRST}\ningestion MFkw`],
    ['without its producer', lineOf('chat', chat.publicKey)],
  ])('while the keys are %s, an event under an unknown key is undecided', (_what, unusable) => {
    lines = unusable;
    expect(() => readBy(ingestionNext)).toThrow(UnusableEventKey);
    expect(readBy(ingestion)).toMatchObject({ topic: TOPIC });
  });
});
