import { InvalidRedisUrl, redisOptions } from './index';

const of = (url: string, over: { user?: string; password?: string } = {}) =>
  redisOptions({ url, prefix: 'acervo', ...over });

describe('the address of Redis', () => {
  it('names host, port, database and login', () => {
    expect(of('redis://someone:s%3Acret@cache.internal:6380/2')).toMatchObject({
      host: 'cache.internal',
      port: 6380,
      db: 2,
      username: 'someone',
      password: 's:cret',
    });
  });
  it('leaves out what is not said', () => {
    const { host, port, db, username, password, tls } = of('redis://[::1]');
    expect([host, port, db, username, password, tls]).toEqual(['::1', 6379, 0, undefined, undefined, undefined]);
  });
  it('gives way to a login that is told apart from it', () => {
    expect(of('redis://a:b@localhost', { user: 'c', password: 'd' })).toMatchObject({ username: 'c', password: 'd' });
  });
  it('asks for TLS with rediss', () => {
    expect(of('rediss://cache.internal').tls).toEqual({});
  });
  it.each(['', 'localhost:6379', 'http://localhost', 'redis://', 'redis://:hunter2@host/jobs'])(
    'is refused as %p, without a word of it',
    (url) => {
      expect(() => of(url)).toThrow(InvalidRedisUrl);
      expect(() => of(url)).toThrow(expect.not.stringContaining('hunter2') as string);
    },
  );
});
