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
/** Keys that were confirmed longer ago are asked for again, while those that are known go on being accepted. */
const FRESH_MS = 5 * 60_000;
/** A key that is published no more, or whose service cannot be asked, is accepted for no longer than this. */
export const KEPT_MS = 10 * 60_000;

/** What a service published when it was asked last. */
interface Published {
  readonly at: number;
  readonly keys: ReadonlyMap<string, CryptoKey | Uint8Array>;
}

/**
 * Public keys as the services publish them. They are fetched when an unknown id is met and again while they are in use,
 * so that a key which its service publishes no more is refused within ten minutes (`KEPT_MS`).
 */
export class PublishedKeys extends PeerKeys {
  private readonly known = new Map<string, Published>();
  private readonly fetchedAt = new Map<string, number>();
  private readonly fetching = new Map<string, Promise<void>>();

  constructor(
    private readonly fetchKeys: (service: string) => Promise<readonly JWK[]>,
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  async find(service: string, kid: string): Promise<CryptoKey | Uint8Array> {
    const known = this.known.get(service);
    const age = this.now() - (known?.at ?? -Infinity);
    if (known?.keys.has(kid) !== true || age > KEPT_MS) await this.refresh(service);
    // Nobody waits for it; where it fails, the next look asks again.
    else if (age > FRESH_MS) void this.refresh(service).catch(() => undefined);
    const key = this.known.get(service)?.keys.get(kid);
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
    const wait = Math.max(0, (this.fetchedAt.get(service) ?? 0) + REFETCH_MS - this.now());
    const fetched = pause(wait)
      .then(() => this.fetch(service))
      .finally(() => this.fetching.delete(service));
    this.fetching.set(service, fetched);
    return fetched;
  }

  private async fetch(service: string): Promise<void> {
    const at = this.now();
    this.fetchedAt.set(service, at);
    const published = await this.fetchKeys(service).catch((error: unknown) => {
      throw Object.assign(new KeysUnavailable(service), { cause: error });
    });
    const keys = new Map<string, CryptoKey | Uint8Array>();
    for (const jwk of published) if (jwk.kid !== undefined) keys.set(jwk.kid, await importJWK(jwk, ALGORITHM));
    this.known.set(service, { at, keys });
  }
}
