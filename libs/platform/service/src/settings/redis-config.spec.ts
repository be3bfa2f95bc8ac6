import { InvalidConfiguration, readConfig } from '@acervo/platform-config';
import { redisOptions } from '@acervo/platform-redis';
import { RedisConfig, redisSettings } from './redis-config';
import { WorkConfig } from './work-config';

const settingsFor = (environment: Readonly<Record<string, string>>) =>
  redisSettings(readConfig(RedisConfig, environment));

describe('the settings of Redis', () => {
  it('the default is a local server without a login', () => {
    const settings = settingsFor({});
    expect(settings).toEqual({
      ...{ url: 'redis://127.0.0.1:6379', prefix: 'acervo' },
      ...{ user: null, password: null, ca: null },
    });
    expect(redisOptions(settings)).toMatchObject({ host: '127.0.0.1', port: 6379, db: 0 });
    expect(redisOptions(settings)).not.toHaveProperty('password');
  });
  it.each([
    ['ACERVO_REDIS_URL', 'redis://cache.internal:6380/2', { host: 'cache.internal', port: 6380, db: 2 }],
    ['ACERVO_REDIS_USER', 'worker', { username: 'worker' }],
    ['ACERVO_REDIS_PASSWORD', 'a secret', { password: 'a secret' }],
  ])('the setting %s reaches the connection', (name, value, options) => {
    expect(redisOptions(settingsFor({ [name]: value }))).toMatchObject(options);
  });
  it('TLS trusts the authorities of the configured file', () => {
    const settings = settingsFor({ ACERVO_REDIS_URL: 'rediss://cache.internal', ACERVO_REDIS_CA: __filename });
    expect(redisOptions(settings).tls?.ca).toContain('trust the authorities');
  });
  it('keys begin with the configured prefix', () => {
    expect(settingsFor({ ACERVO_REDIS_PREFIX: 'one' }).prefix).toBe('one');
  });
  it('an unknown queue is refused', () => {
    expect(() => readConfig(WorkConfig, { ACERVO_QUEUE: 'rabbitmq' })).toThrow(InvalidConfiguration);
  });
});
