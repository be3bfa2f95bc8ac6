import { Setting } from '@acervo/platform-config';
import type { RedisSettings } from '@acervo/platform-redis';
import { ObjectStoreConfig } from './object-store-config';

/** What rings for work and what counts: the database, or Redis beside it. */
export class RedisConfig extends ObjectStoreConfig {
  @Setting({
    env: 'ACERVO_QUEUE',
    default: 'postgresql',
    oneOf: ['postgresql', 'redis'],
    description: 'Where the jobs are kept that ring for work; the work itself stands in the database',
  })
  readonly queue!: string;
  @Setting({
    env: 'ACERVO_COUNTERS',
    default: 'postgresql',
    oneOf: ['postgresql', 'redis'],
    description: 'Where guesses and requests are counted',
  })
  readonly counters!: string;
  @Setting({
    env: 'ACERVO_REDIS_URL',
    default: 'redis://127.0.0.1:6379',
    secret: true,
    description: 'Address of Redis or Valkey: redis://host:port/database, or rediss:// for TLS',
  })
  readonly redisUrl!: string;
  @Setting({ env: 'ACERVO_REDIS_USER', default: null, description: 'Name at Redis, where it is not in the address' })
  readonly redisUser!: string | null;
  @Setting({
    env: 'ACERVO_REDIS_PASSWORD',
    default: null,
    secret: true,
    description: 'Password at Redis, where it is not in the address',
  })
  readonly redisPassword!: string | null;
  @Setting({ env: 'ACERVO_REDIS_CA', default: null, description: 'File with the authorities trusted for Redis' })
  readonly redisCa!: string | null;
  @Setting({ env: 'ACERVO_REDIS_PREFIX', default: 'acervo', description: 'What keys begin with' })
  readonly redisPrefix!: string;
}

/** Null where nothing is kept there. */
export const redisSettings = (config: RedisConfig): RedisSettings | null =>
  config.queue !== 'redis' && config.counters !== 'redis'
    ? null
    : {
        url: config.redisUrl,
        user: config.redisUser,
        password: config.redisPassword,
        ca: config.redisCa,
        prefix: config.redisPrefix,
      };
