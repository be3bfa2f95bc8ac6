import { services } from '@acervo/contracts';
import { openPool, relayRole } from '@acervo/platform-database';
import type { TestDatabase } from '@acervo/platform-testing';
import { openMessaging } from './support';

describe('the relay role of a service', () => {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await openMessaging();
  });
  afterAll(() => server.close());

  /** SQLSTATE of a statement as the relay role of a service; undefined where it succeeds. */
  const refusalOf = async (service: string, sql: string): Promise<string | undefined> => {
    const pool = openPool({ ...server.connection(relayRole(service)), max: 1 });
    try {
      await pool.query(sql);
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    } finally {
      await pool.end();
    }
  };
  const statements = (schema: string): string[] => [
    `select from ${schema}.outbox`,
    `delete from ${schema}.outbox where false`,
    `update ${schema}.outbox_lane set holder = null where false`,
  ];

  it.each(services)('the relay role of %s publishes the events of its service', async (service) => {
    for (const sql of statements(service)) expect([sql, await refusalOf(service, sql)]).toEqual([sql, undefined]);
  });

  it.each(
    services.flatMap((service) => services.filter((other) => other !== service).map((other) => [service, other])),
  )('the relay role of %s is refused the outbox of %s', async (service, other) => {
    for (const sql of statements(other)) expect([sql, await refusalOf(service, sql)]).toEqual([sql, '42501']);
  });

  it.each(services)('the relay role of %s reads nothing beyond its outbox', async (service) => {
    for (const table of ['incoming', 'dead_letter', 'inbox'])
      expect(await refusalOf(service, `select from ${service}.${table}`)).toBe('42501');
    expect(await refusalOf(service, `insert into ${service}.outbox default values`)).toBe('42501');
  });
});
