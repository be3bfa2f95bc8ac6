import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { type ServiceName, services } from '@acervo/contracts';
import { createLogger } from '@acervo/platform-observability';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { installedServices } from '../src/kernel/service-list';
import { Maintenance } from '../src/resources/maintenance';

describe('maintenance', () => {
  let database: TestDatabase;
  let logged = '';
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString();
      done();
    },
  });
  const maintenance = (lastRequestAt: number): Maintenance =>
    new Maintenance({
      connection: (role) => database.connection(role),
      lastRequestAt: () => lastRequestAt,
      statements: () => 0,
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
    const migrationsOfService = (service: ServiceName) =>
      installedServices.find(({ name }) => name === service)?.migrations;
    database = await openTestDatabase(
      Object.fromEntries(services.map((service) => [service, migrationsOf(service, migrationsOfService(service))])),
    );
  });
  afterAll(() => database.close());

  it.each([
    ['at rest once a minute', 300, [0, 0, 0, 0, 0, 1, 1]],
    ['at work every ten seconds', 2_000, [1, 2, 3, 4, 5, 6, 7]],
    ['without work never', 0, [0, 0, 0, 0, 0, 0, 0]],
  ])('small tables are looked at %s', async (_when, statementsOfALook, looked) => {
    jest.useFakeTimers();
    let statements = 0;
    const connection = jest.fn((): never => {
      throw new Error('no database here');
    });
    const quiet = createLogger({ service: 'test', level: 'silent' });
    const periodic = new Maintenance({
      connection,
      lastRequestAt: () => 0,
      statements: () => statements,
      logger: quiet,
    });
    try {
      periodic.start();
      const looks: number[] = [];
      for (const _ of looked) {
        statements += statementsOfALook;
        await jest.advanceTimersByTimeAsync(10_000);
        looks.push(connection.mock.calls.length);
      }
      expect(looks).toEqual(looked);
    } finally {
      await periodic.stop();
      jest.useRealTimers();
    }
  });

  it('a recent request postpones maintenance', async () => {
    await maintenance(Date.now()).round();
    expect(await swept()).toBe(0);
  });
  it('a quiet time vacuums the busy tables of every service', async () => {
    await maintenance(0).round();
    expect(logged).toBe('');
    expect(await swept()).toBe(3);
  });

  const groupId = randomUUID();
  it.each([
    ['ingestion', 'incoming', '(group_id, topic, event_key, payload, cause)', `'test', n::text, '{}', 'test'`],
    ['retrieval', 'space_member', '(group_id, space_id, version, document_id)', '1, n, uuidv7()'],
  ] as const)(
    '%s.%s keeps its size while rows come and go and requests arrive',
    async (service, table, columns, values) => {
      const busy = maintenance(Date.now());
      const size = async (): Promise<number> => {
        const [row] = await database.asOwner(service, `select pg_relation_size('${service}.${table}')::int as bytes`);
        return Number(row?.['bytes']);
      };
      const run = (sql: string): Promise<unknown> =>
        database.database(service).write({ groupId }, (tx) => tx.query(sql, [groupId]));
      const comeAndGo = async (): Promise<void> => {
        await run(`insert into ${service}.${table} ${columns} select $1, ${values} from generate_series(1, 2000) n`);
        await run(`delete from ${service}.${table} where group_id = $1`);
        await busy.recycle();
      };
      await comeAndGo();
      const before = await size();
      for (let round = 0; round < 5; round += 1) await comeAndGo();
      expect(await size()).toBeLessThanOrEqual(before + 8_192);
      expect(logged).toBe('');
    },
  );

  it('a table that changed much gets statistics while requests arrive', async () => {
    const distinct = async (): Promise<unknown> => {
      const [row] = await database.asOwner(
        'ingestion',
        `select n_distinct from pg_stats where tablename = 'changing' and attname = 'group_id'`,
      );
      return row?.['n_distinct'];
    };
    const insert = (rows: number): Promise<unknown> =>
      database.asOwner('ingestion', `insert into ingestion.changing select 1 from generate_series(1, ${rows})`);
    await database.asOwner('ingestion', 'create table ingestion.changing (group_id int)');
    const busy = maintenance(Date.now());
    await insert(400);
    await busy.recycle();
    expect(await distinct()).toBeUndefined();
    await insert(400);
    await busy.recycle();
    expect(await distinct()).toBe(1);
    expect(logged).toBe('');
  });

  describe('maintenance of chunk tables with many dead rows', () => {
    const partition = async (name: string, rows: number, dead: number): Promise<void> => {
      await database.asOwner('retrieval', `create table retrieval.${name} (id int)`);
      await database.asOwner('retrieval', `insert into retrieval.${name} select generate_series(1, ${rows})`);
      await database.asOwner('retrieval', `delete from retrieval.${name} where id <= ${dead}`);
    };
    const vacuumed = async (): Promise<unknown[]> => {
      await database.asOwner('retrieval', 'select pg_stat_force_next_flush()');
      const rows = await database.asOwner(
        'retrieval',
        `select relname as name from pg_stat_user_tables where relname like 'chunk_%' and last_vacuum is not null order by 1`,
      );
      return rows.map(({ name }) => name);
    };

    it('a long quiet time vacuums the chunk table with most dead rows', async () => {
      await partition('chunk_1', 4_000, 1_500);
      await partition('chunk_2', 9_000, 3_000);
      // The HNSW index is not vacuumed, only the table.
      await database.asOwner(
        'retrieval',
        `alter table retrieval.chunk_2 add column embedding vector(3) default '[1,0,0]'`,
      );
      await database.asOwner(
        'retrieval',
        `create index on retrieval.chunk_2 using hnsw (embedding vector_ip_ops) where id < 0`,
      );
      await partition('chunk_3', 9_000, 1_200);
      await partition('chunk_4', 90, 80);
      await maintenance(Date.now() - 120_000).round();
      expect(await vacuumed()).toEqual([]);
      const quiet = maintenance(0);
      await quiet.round();
      expect(await vacuumed()).toEqual(['chunk_2']);
      await quiet.round();
      await quiet.round();
      expect(await vacuumed()).toEqual(['chunk_1', 'chunk_2']);
      expect(logged).toBe('');
    });
  });
});
