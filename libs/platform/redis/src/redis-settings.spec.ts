import { InvalidRedisUrl, redisOptions } from './index';

const of = (url: string, over: { user?: string; password?: string } = {}) =>
  redisOptions({ url, prefix: 'acervo', ...over });

describe('the address of Redis', () => {
  it('an address contains host, port, database and login', () => {
    expect(of('redis://someone:s%3Acret@cache.internal:6380/2')).toMatchObject({
      host: 'cache.internal',
      port: 6380,
      db: 2,
      username: 'someone',
      password: 's:cret',
    });
  });
  it('missing parts of an address are omitted', () => {
    const { host, port, db, username, password, tls } = of('redis://[::1]');
    expect([host, port, db, username, password, tls]).toEqual(['::1', 6379, 0, undefined, undefined, undefined]);
  });
  it('a separate login takes precedence over the address', () => {
    expect(of('redis://a:b@localhost', { user: 'c', password: 'd' })).toMatchObject({ username: 'c', password: 'd' });
  });
  it('rediss selects TLS', () => {
    expect(of('rediss://cache.internal').tls).toEqual({});
  });
  it.each(['', 'localhost:6379', 'http://localhost', 'redis://', 'redis://:hunter2@host/jobs'])(
    'the address %p is refused without being repeated',
    (url) => {
      expect(() => of(url)).toThrow(InvalidRedisUrl);
      expect(() => of(url)).toThrow(expect.not.stringContaining('hunter2') as string);
    },
  );
});
