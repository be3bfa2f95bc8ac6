import 'reflect-metadata';
import { openPool } from '@acervo/platform-database';
import { RedisClient } from '@acervo/platform-redis';
import { openTlsServer, type TlsBeginning, type TlsServer } from '@acervo/platform-testing';
import { connectionOf, DatabaseConfig, RedisConfig, redisSettings } from '../src';

/** Somebody who goes to an engine as the configuration says, and comes back when the conversation is over. */
type Visit = (port: number, authorities: string | null) => Promise<unknown>;

const given = <C extends object>(config: C, settings: Partial<C>): C => Object.assign(config, settings);

const visitors: readonly [string, TlsBeginning, Visit][] = [
  [
    'PostgreSQL',
    'postgresql',
    async (databasePort, databaseCa) => {
      const config = given(new DatabaseConfig(), {
        ...{ databaseHost: '127.0.0.1', databasePort, databaseName: 'acervo', databaseTls: true, databaseCa },
      });
      const pool = openPool({ ...connectionOf(config, 'gateway_app', 'secret'), max: 1 });
      await pool.query('select 1').catch(() => undefined);
      await pool.end();
    },
  ],
  [
    'Redis',
    'at once',
    async (port, redisCa) => {
      const settings = redisSettings(
        given(new RedisConfig(), {
          ...{ queue: 'redis', counters: 'redis', redisUrl: `rediss://127.0.0.1:${port}`, redisCa },
          ...{ redisUser: null, redisPassword: 'secret', redisPrefix: 'test' },
        }),
      );
      if (settings === null) throw new Error('Nothing is kept in Redis.');
      const client = new RedisClient(settings);
      await client.ping().catch(() => undefined);
      client.close();
    },
  ],
];

describe.each(visitors)('%s with TLS', (_name, beginning, visit) => {
  let server: TlsServer;
  beforeEach(async () => {
    server = await openTlsServer(beginning);
  });
  afterEach(() => server.close());

  it('is told something, encrypted, when its certificate is vouched for by an authority that is named', async () => {
    await visit(server.port, server.authority);
    expect(server.heard.encrypted).toBeGreaterThan(0);
    expect(server.heard.plain).toBe(0);
  });
  it('is told nothing when another authority is named, and nothing when none is', async () => {
    await visit(server.port, server.stranger);
    await visit(server.port, null);
    expect(server.heard).toEqual({ encrypted: 0, plain: 0 });
  });
});
