import 'reflect-metadata';
import { openPool } from '@acervo/platform-database';
import { RedisClient } from '@acervo/platform-redis';
import { openTlsServer, type TlsBeginning, type TlsServer } from '@acervo/platform-testing';
import { connectionOf, DatabaseConfig } from '../src';
import { RedisConfig, redisSettings } from '../src/settings/redis-config';

/** A client that connects to an engine as configured, and returns when the connection ends. */
type Visit = (port: number, authorities: string | null) => Promise<unknown>;

const withSettings = <C extends object>(config: C, settings: Partial<C>): C => Object.assign(config, settings);

const clients: readonly [string, TlsBeginning, Visit][] = [
  [
    'PostgreSQL',
    'postgresql',
    async (databasePort, databaseCa) => {
      const config = withSettings(new DatabaseConfig(), {
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
        withSettings(new RedisConfig(), {
          ...{ redisUrl: `rediss://127.0.0.1:${port}`, redisCa },
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

describe.each(clients)('%s with TLS', (_name, beginning, visit) => {
  let server: TlsServer;
  beforeEach(async () => {
    server = await openTlsServer(beginning);
  });
  afterEach(() => server.close());

  it('an engine with a certificate of a named authority receives encrypted data', async () => {
    await visit(server.port, server.authority);
    expect(server.heard.encrypted).toBeGreaterThan(0);
    expect(server.heard.unencrypted).toBe(0);
  });
  it('an engine with a certificate of an unknown authority receives nothing', async () => {
    await visit(server.port, server.stranger);
    await visit(server.port, null);
    expect(server.heard).toEqual({ encrypted: 0, unencrypted: 0 });
  });
});
