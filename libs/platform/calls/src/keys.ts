import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
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
 * The signing keys of one service. Rotation publishes the next key before anything is signed with it and keeps the old
 * one published for as long as a token of it may live, so that no valid token is ever rejected.
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

  /** The public keys that peers may meet in a token now. */
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
  /** @throws when the service publishes no such key; KeysUnavailable when it cannot be asked. */
  abstract find(service: string, kid: string): Promise<CryptoKey | Uint8Array>;
}

/** Keys of a service are fetched at most once in this time, whatever ids are met. */
const REFETCH_MS = 1_000;

/** Public keys as the services publish them, fetched when an unknown id is met, at most once a second each. */
export class PublishedKeys extends PeerKeys {
  private readonly known = new Map<string, CryptoKey | Uint8Array>();
  private readonly fetchedAt = new Map<string, number>();
  private readonly fetching = new Map<string, Promise<void>>();

  constructor(private readonly fetchKeys: (service: string) => Promise<readonly JWK[]>) {
    super();
  }

  async find(service: string, kid: string): Promise<CryptoKey | Uint8Array> {
    const name = `${service} ${kid}`;
    if (!this.known.has(name)) await this.refresh(service);
    const key = this.known.get(name);
    if (key === undefined) throw new Error(`${service} publishes no key of this id.`);
    return key;
  }

  /**
   * Whoever meets an unknown id waits for the next fetch that is allowed: a key that was rotated in a moment ago is
   * found, and ids that nobody published cost one fetch a second at most.
   */
  private refresh(service: string): Promise<void> {
    const underway = this.fetching.get(service);
    if (underway !== undefined) return underway;
    const wait = Math.max(0, (this.fetchedAt.get(service) ?? 0) + REFETCH_MS - Date.now());
    const fetched = pause(wait)
      .then(() => this.fetch(service))
      .finally(() => this.fetching.delete(service));
    this.fetching.set(service, fetched);
    return fetched;
  }

  private async fetch(service: string): Promise<void> {
    this.fetchedAt.set(service, Date.now());
    const published = await this.fetchKeys(service).catch((error: unknown) => {
      throw Object.assign(new KeysUnavailable(service), { cause: error });
    });
    for (const jwk of published)
      if (jwk.kid !== undefined) this.known.set(`${service} ${jwk.kid}`, await importJWK(jwk, ALGORITHM));
  }
}
