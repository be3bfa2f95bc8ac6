import { readConfig } from '@acervo/platform-config';
import { RedisConfig, redisSettings } from './redis-config';

describe('the settings of Redis', () => {
  it('are what the environment says', () => {
    const config = readConfig(RedisConfig, { ACERVO_REDIS_PASSWORD: 'p', ACERVO_REDIS_PREFIX: 'one' });
    expect(redisSettings(config)).toMatchObject({ url: 'redis://127.0.0.1:6379', password: 'p', prefix: 'one' });
  });
});
