import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { Database } from '@acervo/platform-database';
import { Seal } from './seal';

export const TOKEN_ALGORITHM = 'ES256';
/** Lifetime of an access token. */
export const TOKEN_SECONDS = 3_600;

/** How long a key is published before anything is signed with it. */
const ANNOUNCED_S = 600;
const REREAD_MS = 30_000;
const REREAD_FOR_UNKNOWN_MS = 1_000;

interface SigningKey {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly signsFrom: number;
}

interface Row {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly sealed: Buffer;
  readonly signsFrom: Date;
}

const ALL = `select kid, public_jwk as "publicJwk", private_sealed as sealed, signs_from as "signsFrom"
from auth.signing_key order by signs_from desc, kid`;
const ADD = `insert into auth.signing_key (kid, public_jwk, private_sealed, signs_from)
values ($1, $2, $3, now() + make_interval(secs => $4))`;
/** Replicas that start together make one key between them: tokens of a second one would be unknown to the first. */
const IN_TURN = `select pg_advisory_xact_lock(hashtextextended('signing_key.first', 0))`;
const ADD_FIRST = `insert into auth.signing_key (kid, public_jwk, private_sealed, signs_from)
select $1, $2, $3, now() where not exists (select from auth.signing_key)`;
/** A key is deleted two token lifetimes after its successor took over. */
const DROP = `delete from auth.signing_key k where exists (select from auth.signing_key n
  where n.signs_from > k.signs_from and n.signs_from < now() - make_interval(secs => ${2 * TOKEN_SECONDS}))`;

/**
 * The keys of access tokens, shared by all replicas through the database. The next key is published before it signs.
 * The previous one stays for two token lifetimes, so that no valid token is ever rejected.
 */
export class SigningKeys {
  private keys: readonly SigningKey[] = [];
  private readAt = 0;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly seal: Seal,
  ) {}

  /** The newest key that may sign; created when there is no key. */
  async current(): Promise<{ readonly kid: string; readonly key: KeyObject }> {
    await this.refresh(REREAD_MS);
    if (this.keys.length === 0) await this.addFirst();
    // The first key signs at once, also where the clock of the database is ahead of this process.
    const found = this.keys.find(({ signsFrom }) => signsFrom <= Date.now()) ?? this.keys.at(-1);
    if (found === undefined) throw new Error('There is no key to sign access tokens with.');
    return { kid: found.kid, key: found.privateKey };
  }

  /** When the current key began to sign, in milliseconds, as this process last read it; undefined before. */
  get signingSince(): number | undefined {
    return this.keys.find(({ signsFrom }) => signsFrom <= Date.now())?.signsFrom;
  }

  /** The public key with an id; undefined for an unknown or deleted one. */
  async find(kid: string): Promise<KeyObject | undefined> {
    await this.refresh(REREAD_MS);
    // Without any key, another replica may have made the first one a moment ago.
    const olderThanMs = this.keys.length === 0 ? 0 : REREAD_FOR_UNKNOWN_MS;
    if (!this.keys.some((key) => key.kid === kid)) await this.refresh(olderThanMs);
    return this.keys.find((key) => key.kid === kid)?.publicKey;
  }

  /** The keys of `/.well-known/jwks.json`: the next key, the signing one and those of tokens that are still valid. */
  async published(): Promise<readonly JWK[]> {
    await this.current();
    return this.keys.map(({ publicJwk }) => publicJwk);
  }

  /** Publishes a new key, which signs once every verifier has had time to read it. */
  async rotate(afterSeconds = ANNOUNCED_S): Promise<void> {
    await this.add(afterSeconds);
    await this.database.ungrouped((tx) => tx.query(DROP));
    await this.refresh(0);
  }

  /** When the newest key begins to sign; the next rotation depends on it. */
  async newestSince(): Promise<Date> {
    await this.current();
    return new Date(this.keys[0]?.signsFrom ?? 0);
  }

  private async addFirst(): Promise<void> {
    const made = this.make();
    await this.database.ungrouped(async (tx) => {
      await tx.query(IN_TURN);
      await tx.query(ADD_FIRST, made);
    });
    await this.refresh(0);
  }

  private async add(afterSeconds: number): Promise<void> {
    const made = this.make();
    await this.database.ungrouped((tx) => tx.query(ADD, [...made, afterSeconds]));
    await this.refresh(0);
  }

  /** A new key as the parameters of its row. */
  private make(): [kid: string, jwk: string, sealed: Buffer] {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const kid = randomUUID();
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: TOKEN_ALGORITHM, use: 'sig' };
    // Not bound to its row: all rows are keys of this service, and processes of the last release read new ones.
    const sealed = this.seal.seal(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), null);
    return [kid, JSON.stringify(jwk), sealed];
  }

  /** Reads keys that were read longer ago. With 0, the read begins after the call: one under way may miss a new key. */
  private async refresh(olderThanMs: number): Promise<void> {
    if (Date.now() - this.readAt < olderThanMs) return;
    if (olderThanMs === 0) await this.reading;
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    await this.reading;
  }

  private async read(): Promise<void> {
    const rows = await this.database.ungrouped((tx) => tx.prepared<Row>(ALL, []));
    this.keys = rows.map(({ kid, publicJwk, sealed, signsFrom }) => {
      const privateKey = createPrivateKey(this.seal.open(sealed, null));
      return { kid, publicJwk, privateKey, publicKey: createPublicKey(privateKey), signsFrom: signsFrom.getTime() };
    });
    this.readAt = Date.now();
  }
}
