import { Setting } from '@acervo/platform-config';
import type { RedisSettings } from '@acervo/platform-redis';
import { EventsConfig } from './events-config';

/** What rings for work: the database, or Redis beside it. */
export class RedisConfig extends EventsConfig {
  @Setting({
    env: 'ACERVO_QUEUE',
    default: 'postgresql',
    oneOf: ['postgresql', 'redis'],
    description: 'Where the jobs are kept that ring for work; the work itself stands in the database',
  })
  readonly queue!: string;
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

export const redisSettings = (config: RedisConfig): RedisSettings => ({
  url: config.redisUrl,
  user: config.redisUser,
  password: config.redisPassword,
  ca: config.redisCa,
  prefix: config.redisPrefix,
});
