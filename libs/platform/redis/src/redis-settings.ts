import { readFileSync } from 'node:fs';
import { exponential } from '@acervo/platform-resilience';

/** Address of Redis or Valkey, and how to connect to it. */
export interface RedisSettings {
  /** `redis://host:port/database`, or `rediss://` for TLS; it may contain a name and a password. */
  readonly url: string;
  readonly user?: string | null;
  readonly password?: string | null;
  /** File with the trusted authorities; those of Node when absent. */
  readonly ca?: string | null;
  /** Prefix of every key: separates installations that share a server. */
  readonly prefix: string;
}

/** Connection options in the form of the Redis drivers. */
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

/** The problem of an address; the address may contain a password and is not repeated. */
export class InvalidRedisUrl extends Error {
  constructor() {
    super('ACERVO_REDIS_URL must be redis://host:port/database, or rediss:// for TLS.');
    this.name = 'InvalidRedisUrl';
  }
}

const PATH = /^\/?(\d{0,5})$/;

/** Reconnects within a second after the server returns. */
const retryStrategy = (times: number): number => exponential(times + 1, 100, 1_000);

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
