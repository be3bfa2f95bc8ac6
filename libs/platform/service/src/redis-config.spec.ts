import { readConfig } from '@acervo/platform-config';
import { RedisConfig, redisSettings } from './redis-config';

describe('the settings of Redis', () => {
  it('are not looked at where nothing is kept there', () => {
    expect(redisSettings(readConfig(RedisConfig, { ACERVO_REDIS_URL: 'nonsense' }))).toBeNull();
  });
  it.each(['ACERVO_QUEUE', 'ACERVO_COUNTERS'])('are used where %s says so', (name) => {
    const config = readConfig(RedisConfig, { [name]: 'redis', ACERVO_REDIS_PASSWORD: 'p', ACERVO_REDIS_PREFIX: 'one' });
    expect(redisSettings(config)).toMatchObject({ url: 'redis://127.0.0.1:6379', password: 'p', prefix: 'one' });
  });
});
