import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { allEvents, type Event, fieldsOf, programs, publishedBy, type ServiceName, services } from '@acervo/contracts';
import type { Envelope } from './envelope';

const DIGEST = 'sha256';
const CURVE = 'prime256v1';

/** Signatures between two turns of the event loop: they take about 5 ms. */
const AT_A_STRETCH = 50;

/** Lets other work of the process go on after every 50 signatures. @param done signatures so far */
export const yieldAfter = async (done: number): Promise<void> => {
  if (done % AT_A_STRETCH === 0) await turnOfLoop();
};

/** What a signature covers beside the payload. The trace is not covered: it never decides anything. */
export type SignedFields = Pick<Envelope, 'event_id' | 'group_id' | 'topic' | 'event_key' | 'cause' | 'occurred_at'>;

/** What a receiver verifies, beside the bytes of the payload. */
export type VerifiedFields = SignedFields & { readonly payload: object };

/** Names the service that published an event, and proves it. */
export interface EventSignature {
  readonly producer: string;
  /** Of ECDSA over P-256 with SHA-256, as base64. */
  readonly signature: string;
}

/** A setting holds no key of events. Its message contains nothing of the setting. */
export class UnusableEventKey extends Error {
  constructor(setting: string, expected: string) {
    super(`${setting} cannot be used: it must be ${expected}. Make it by docker/make-secrets.sh.`);
    this.name = 'UnusableEventKey';
  }
}

/** An event whose producer is not proven. */
export class UnprovenEvent extends Error {
  constructor(what: string) {
    super(`The event ${what}.`);
    this.name = 'UnprovenEvent';
  }
}

/** JSON ends where its payload begins, so that no two events have the same bytes. */
const signedBytes = (producer: string, event: SignedFields, payload: Buffer): Buffer => {
  const { topic, event_id: id, group_id: group, event_key: key, cause, occurred_at: at } = event;
  return Buffer.concat([Buffer.from(JSON.stringify([producer, topic, id, group, key, cause, at])), payload]);
};

const isOnCurve = ({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean =>
  type === 'ec' && details?.namedCurve === CURVE;

/** @throws UnusableEventKey */
const readKey = (setting: string, expected: string, read: () => KeyObject): KeyObject => {
  try {
    const key = read();
    if (isOnCurve(key)) return key;
  } catch {
    // The text of the error may quote the key.
  }
  throw new UnusableEventKey(setting, expected);
};

/** Signs the events of one service. */
export class EventSigner {
  private readonly key: KeyObject;

  /** @param pem private key of P-256 @throws UnusableEventKey */
  constructor(
    private readonly service: ServiceName,
    pem: string,
  ) {
    this.key = readKey('ACERVO_EVENT_KEY', 'a private key of P-256 as PEM', () => createPrivateKey(pem));
  }

  sign(event: SignedFields, payload: Buffer): EventSignature {
    const { service: producer, key } = this;
    return { producer, signature: sign(DIGEST, signedBytes(producer, event, payload), key).toString('base64') };
  }
}

const LINE = /^([a-z]+) ([A-Za-z0-9+/=]+)$/;
const SETTING_OF_KEYS = 'ACERVO_EVENT_KEYS';
const LINES = 'lines of a service and its public key of P-256';

type PublicKeys = ReadonlyMap<string, readonly KeyObject[]>;

/**
 * A line for each key: the service and its public key, as base64 of its DER. A service has two while one is replaced.
 * @throws UnusableEventKey for a line of another form, or where one of the publishers has no key
 */
const publicKeys = (text: string, publishers: readonly ServiceName[]): PublicKeys => {
  const keys = new Map<string, readonly KeyObject[]>();
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, service = '', encoded = ''] = LINE.exec(line) ?? [];
    if (!services.some((name) => name === service)) throw new UnusableEventKey(SETTING_OF_KEYS, LINES);
    const key = readKey(SETTING_OF_KEYS, LINES, () =>
      createPublicKey({ key: Buffer.from(encoded, 'base64'), format: 'der', type: 'spki' }),
    );
    keys.set(service, [...(keys.get(service) ?? []), key]);
  }
  const missing = publishers.filter((service) => !keys.has(service));
  if (missing.length > 0) throw new UnusableEventKey(SETTING_OF_KEYS, `${LINES}, also of ${missing.join(', ')}`);
  return keys;
};

/** The public keys of services, from a text that grows while a key is replaced. */
class EventKeys {
  private text: string;
  private keys: PublicKeys;

  /** @throws UnusableEventKey */
  constructor(
    private readonly read: () => string,
    private readonly publishers: readonly ServiceName[],
  ) {
    this.text = read();
    this.keys = publicKeys(this.text, publishers);
  }

  of(service: string): readonly KeyObject[] {
    return this.keys.get(service) ?? [];
  }

  /**
   * Reads the text again, and answers whether it is another one. To read it costs less than to verify a signature.
   * @throws UnusableEventKey, or what reading throws, while the text cannot be used; the keys of before remain
   */
  refresh(): boolean {
    const text = this.read();
    if (text === this.text) return false;
    this.keys = publicKeys(text, this.publishers);
    this.text = text;
    return true;
  }
}

/** The services that may publish one of these topics. */
const publishersOf = (topics: readonly string[]): readonly ServiceName[] =>
  programs.map(({ name }) => name).filter((name) => publishedBy(name).some(({ topic }) => topics.includes(topic)));

/** What a receiver knows of the producer of a topic. */
interface Expected {
  readonly producer: Event['producer'];
  /** The name in JSON of the field that names the producer. */
  readonly field: string | undefined;
}

const expectedOf = ({ producer, producerField, payload }: Event): Expected => ({
  producer,
  field: fieldsOf(payload).find(({ property }) => property === producerField)?.wire,
});

/** Verifies that events come from the services that may publish them. */
export class EventVerifier {
  private readonly keys: EventKeys;
  private readonly expected = new Map(allEvents().map((event) => [event.topic, expectedOf(event)]));

  /**
   * @param read the lines of ACERVO_EVENT_KEYS; read again where no known key has made a signature
   * @param topics topics whose events are verified: each service that may publish one needs a key
   * @param unsigned accepts events without a signature, of programs that do not sign yet
   * @throws UnusableEventKey
   */
  constructor(
    read: () => string,
    topics: readonly string[],
    private readonly unsigned: boolean,
  ) {
    this.keys = new EventKeys(read, publishersOf(topics));
  }

  /**
   * @param bytes the payload as it was sent
   * @throws UnprovenEvent where the event does not come unchanged from a service that publishes its topic, or names
   * another one; any other error where that cannot be decided, because the keys cannot be read
   */
  assertProven(event: VerifiedFields, bytes: Buffer, proof: EventSignature | undefined): void {
    if (proof === undefined) {
      if (this.unsigned) return;
      throw new UnprovenEvent('has no signature');
    }
    const expected = this.expected.get(event.topic);
    if (expected?.producer !== 'any' && expected?.producer !== proof.producer)
      throw new UnprovenEvent('is signed by a service that does not publish its topic');
    if (!this.isSigned(event, bytes, proof))
      throw new UnprovenEvent('has a signature that no key of its producer made');
    if (expected.field !== undefined && Reflect.get(event.payload, expected.field) !== proof.producer)
      throw new UnprovenEvent('names another producer than the service that signed it');
  }

  private isSigned(event: SignedFields, payload: Buffer, { producer, signature }: EventSignature): boolean {
    const [bytes, made] = [signedBytes(producer, event, payload), Buffer.from(signature, 'base64')];
    const isByKnownKey = (): boolean => this.keys.of(producer).some((key) => verify(DIGEST, bytes, key, made));
    return isByKnownKey() || (this.keys.refresh() && isByKnownKey());
  }
}
