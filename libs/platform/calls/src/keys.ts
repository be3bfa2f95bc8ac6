import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { pause, SingleFlight } from '@acervo/platform-resilience';
import { KeysUnavailable } from './errors';

export const ALGORITHM = 'EdDSA';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

const makeKey = async (): Promise<SigningKey> => {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519' });
  const kid = randomUUID();
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: ALGORITHM, use: 'sig' } };
};

/**
 * The signing keys of one service. Rotation publishes the next key before the first signature with it. The old key
 * stays published for as long as a token of it may live, so no valid token is rejected.
 */
export class ServiceKeys {
  private next: SigningKey | undefined;
  private old: SigningKey[] = [];

  private constructor(private current: SigningKey) {}

  static async generate(): Promise<ServiceKeys> {
    return new ServiceKeys(await makeKey());
  }

  get signing(): { readonly kid: string; readonly key: CryptoKey } {
    return { kid: this.current.kid, key: this.current.privateKey };
  }

  /** The public keys that valid tokens may be signed with. */
  get published(): readonly JWK[] {
    return [this.next, this.current, ...this.old].flatMap((key) => (key === undefined ? [] : [key.publicJwk]));
  }

  /** Publishes the key that the next rotation will sign with. */
  async announce(): Promise<void> {
    this.next ??= await makeKey();
  }

  /** Signs with the announced key from now on; the one before stays published until `forget`. */
  async rotate(): Promise<void> {
    await this.announce();
    if (this.next === undefined) return;
    this.old = [this.current, ...this.old];
    this.current = this.next;
    this.next = undefined;
  }

  /** Stops publishing keys that no living token can carry; call it two token lifetimes after a rotation. */
  forget(): void {
    this.old = [];
  }
}

/** Finds the public key of a service by its id. */
export abstract class PeerKeys {
  /** @throws when the service publishes no such key; KeysUnavailable when the service does not answer. */
  abstract find(service: string, kid: string): Promise<CryptoKey | Uint8Array>;
}

/** Keys of a service are fetched at most once in this time, however many unknown ids arrive. */
const REFETCH_MS = 1_000;
/** Keys confirmed longer ago are fetched again; known keys are accepted meanwhile. */
const FRESH_MS = 5 * 60_000;
/** A key that is no longer published, or whose service does not answer, is accepted for at most this time. */
export const KEPT_MS = 10 * 60_000;

/** The last known keys of a service. */
interface Published {
  readonly at: number;
  readonly keys: ReadonlyMap<string, CryptoKey | Uint8Array>;
}

/**
 * Public keys as the services publish them. They are fetched for an unknown id, and again while they are in use. A key
 * that its service no longer publishes is refused within ten minutes (`KEPT_MS`).
 */
export class PublishedKeys extends PeerKeys {
  private readonly publishedKeys = new Map<string, Published>();
  private readonly fetchedAt = new Map<string, number>();
  private readonly fetching = new SingleFlight<void>();

  constructor(
    private readonly fetchKeys: (service: string) => Promise<readonly JWK[]>,
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  async find(service: string, kid: string): Promise<CryptoKey | Uint8Array> {
    const publishedKeys = this.publishedKeys.get(service);
    const age = this.now() - (publishedKeys?.at ?? -Infinity);
    if (publishedKeys?.keys.has(kid) !== true || age > KEPT_MS) await this.refresh(service);
    // Not awaited; where it fails, the next call of `find` retries.
    else if (age > FRESH_MS) void this.refresh(service).catch(() => undefined);
    const key = this.publishedKeys.get(service)?.keys.get(kid);
    if (key === undefined) throw new Error(`${service} publishes no key of this id.`);
    return key;
  }

  /**
   * An unknown id waits for the next permitted fetch: a key rotated in a moment ago is found. Ids that were never
   * published cost one fetch a second at most.
   */
  private refresh(service: string): Promise<void> {
    return this.fetching.run(service, async () => {
      await pause(Math.max(0, (this.fetchedAt.get(service) ?? 0) + REFETCH_MS - this.now()));
      await this.fetch(service);
    });
  }

  private async fetch(service: string): Promise<void> {
    const at = this.now();
    this.fetchedAt.set(service, at);
    const published = await this.fetchKeys(service).catch((error: unknown) => {
      throw Object.assign(new KeysUnavailable(service), { cause: error });
    });
    const keys = new Map<string, CryptoKey | Uint8Array>();
    for (const jwk of published) if (jwk.kid !== undefined) keys.set(jwk.kid, await importJWK(jwk, ALGORITHM));
    this.publishedKeys.set(service, { at, keys });
  }
}
