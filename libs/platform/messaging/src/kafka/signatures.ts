import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { allEvents, type ServiceName, services } from '@acervo/contracts';
import type { Envelope } from './envelope';

const DIGEST = 'sha256';
const CURVE = 'prime256v1';

/** What a signature covers beside the payload. The trace is not covered: it never decides anything. */
export type SignedFields = Pick<Envelope, 'event_id' | 'group_id' | 'topic' | 'event_key' | 'cause' | 'occurred_at'>;

/** Names the service that published an event, and proves it. */
export interface EventSignature {
  readonly producer: string;
  /** Of ECDSA over P-256 with SHA-256, as base64. */
  readonly signature: string;
}

/** A setting holds no key of events. Its message contains nothing of the setting. */
export class UnusableEventKey extends Error {
  constructor(setting: string, expected: string) {
    super(`${setting} cannot be read: it must be ${expected}. Make it by docker/make-secrets.sh.`);
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

/** A line for each key: the service and its public key, as base64 of its DER. A service has two while one is replaced. */
const publicKeys = (text: string): ReadonlyMap<string, readonly KeyObject[]> => {
  const keys = new Map<string, readonly KeyObject[]>();
  const expected = 'lines of a service and its public key of P-256';
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, service = '', encoded = ''] = LINE.exec(line) ?? [];
    if (!services.some((name) => name === service)) throw new UnusableEventKey('ACERVO_EVENT_KEYS', expected);
    const key = readKey('ACERVO_EVENT_KEYS', expected, () =>
      createPublicKey({ key: Buffer.from(encoded, 'base64'), format: 'der', type: 'spki' }),
    );
    keys.set(service, [...(keys.get(service) ?? []), key]);
  }
  return keys;
};

const producers = (): ReadonlyMap<string, string> =>
  new Map(allEvents().map(({ topic, producer }) => [topic, producer]));

/** Verifies that events come from the services that may publish them. */
export class EventVerifier {
  private readonly keys: ReadonlyMap<string, readonly KeyObject[]>;
  private readonly producers = producers();

  /**
   * @param lines see ACERVO_EVENT_KEYS
   * @param unsigned accepts events without a signature, of programs that do not sign yet
   * @throws UnusableEventKey
   */
  constructor(
    lines: string,
    private readonly unsigned: boolean,
  ) {
    this.keys = publicKeys(lines);
  }

  /** @throws UnprovenEvent where the event does not come unchanged from a service that publishes its topic */
  assertProven(event: SignedFields, payload: Buffer, proof: EventSignature | undefined): void {
    if (proof === undefined) {
      if (this.unsigned) return;
      throw new UnprovenEvent('has no signature');
    }
    const publisher = this.producers.get(event.topic);
    if (publisher !== 'any' && publisher !== proof.producer)
      throw new UnprovenEvent('is signed by a service that does not publish its topic');
    const bytes = signedBytes(proof.producer, event, payload);
    const signature = Buffer.from(proof.signature, 'base64');
    const keys = this.keys.get(proof.producer) ?? [];
    if (!keys.some((key) => verify(DIGEST, bytes, key, signature)))
      throw new UnprovenEvent('has a signature that no key of its producer made');
  }
}
