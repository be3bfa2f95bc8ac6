import { createLogger } from '@acervo/platform-observability';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { services } from '@acervo/contracts';
import { Writable } from 'node:stream';
import { Maintenance } from '../src/maintenance';

describe('maintenance', () => {
  let database: TestDatabase;
  let said = '';
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString();
      done();
    },
  });
  const maintenance = (lastRequestAt: number): Maintenance =>
    new Maintenance({
      connection: (role) => database.connection(role),
      lastRequestAt: () => lastRequestAt,
      logger: createLogger({ service: 'test', level: 'warn', destination }),
    });
  const swept = async (): Promise<number> => {
    const [row] = await database.asOwner(
      'ingestion',
      `select count(*)::int as swept from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'ingestion' and c.relname in ('outbox', 'incoming', 'task') and c.reltuples >= 0`,
    );
    return Number(row?.['swept']);
  };

  beforeAll(async () => {
    database = await openTestDatabase(Object.fromEntries(services.map((service) => [service, migrationsOf(service)])));
  }, 60_000);
  afterAll(() => database.close());

  it('waits while somebody is asking', async () => {
    await maintenance(Date.now()).round();
    expect(await swept()).toBe(0);
  });
  it('sweeps the restless tables of every service once it is quiet', async () => {
    await maintenance(0).round();
    expect(said).toBe('');
    expect(await swept()).toBe(3);
  });
});
