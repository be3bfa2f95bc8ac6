import { Setting } from '@acervo/platform-config';
import type { RedisSettings } from '@acervo/platform-redis';

/** Address of Redis or Valkey; used where the queue or the counters are stored there. */
export class RedisConfig {
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
