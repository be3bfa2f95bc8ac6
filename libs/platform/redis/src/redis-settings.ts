import { readFileSync } from 'node:fs';

/** Where Redis, or Valkey, is and how it is talked to. */
export interface RedisSettings {
  /** `redis://host:port/database`, or `rediss://` for TLS; a name and a password may stand in it. */
  readonly url: string;
  readonly user?: string | null;
  readonly password?: string | null;
  /** File with the authorities that are trusted; those that Node trusts when absent. */
  readonly ca?: string | null;
  /** Begins every key: what shares a server stays apart. */
  readonly prefix: string;
}

/** A connection as the drivers of Redis understand it. */
export interface RedisConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: { readonly ca?: string };
  readonly connectTimeout: number;
  readonly retryStrategy: (times: number) => number;
}

/** What is wrong with an address; the address may hold a password and is not repeated. */
export class InvalidRedisUrl extends Error {
  constructor() {
    super('ACERVO_REDIS_URL must be redis://host:port/database, or rediss:// for TLS.');
    this.name = 'InvalidRedisUrl';
  }
}

const PATH = /^\/?(\d{0,5})$/;

/** A server that comes back is found within a second. */
const retryStrategy = (times: number): number => Math.min(100 * 2 ** Math.min(times, 10), 1_000);

/** @throws InvalidRedisUrl */
export const redisOptions = ({ url, user, password, ca }: RedisSettings): RedisConnectionOptions => {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const [, database] = PATH.exec(parsed?.pathname ?? '') ?? [];
  if (parsed === null || !['redis:', 'rediss:'].includes(parsed.protocol) || database === undefined || !parsed.hostname)
    throw new InvalidRedisUrl();
  const username = user ?? decodeURIComponent(parsed.username);
  const secret = password ?? decodeURIComponent(parsed.password);
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(parsed.port || 6379),
    db: Number(database || 0),
    ...(username === '' ? {} : { username }),
    ...(secret === '' ? {} : { password: secret }),
    ...(parsed.protocol === 'rediss:' ? { tls: ca ? { ca: readFileSync(ca, 'utf8') } : {} } : {}),
    connectTimeout: 3_000,
    retryStrategy,
  };
};
