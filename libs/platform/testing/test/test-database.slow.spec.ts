import { type MigrationClass, sqlMigration } from '@acervo/platform-database';
import { clusterWith, openTestDatabase, PREPARED_CLUSTER, type TestDatabase } from '../src';

const notes: MigrationClass = sqlMigration(
  'Notes1790000000001',
  `create table chat.note (id int generated always as identity primary key, text text not null);
   insert into chat.note (text) values ('from the migration');`,
);

const open = (isolated = false): Promise<TestDatabase> => openTestDatabase({ chat: [notes] }, { isolated });
const textsOf = async (database: TestDatabase): Promise<unknown[]> =>
  (await database.asOwner('chat', 'select id, text from chat.note order by id')).map(({ id, text }) => [id, text]);
const add = (database: TestDatabase, text: string) =>
  database.asOwner('chat', 'insert into chat.note (text) values ($1)', [text]);

const BEGINNING = [[1, 'from the migration']];

describe('a database of a suite', () => {
  it('a suite starts with the state after the migrations', async () => {
    const first = await open();
    await add(first, 'of the first suite');
    await first.asOwner('chat', 'delete from chat.note where id = 1');
    await first.asOwner('chat', 'create table chat.extra (note int references chat.note)');
    await first.close();

    const second = await open();
    try {
      expect(await textsOf(second)).toEqual(BEGINNING);
      await expect(second.asOwner('chat', 'select from chat.extra')).rejects.toMatchObject({ code: '42P01' });
      await add(second, 'of the second suite');
      expect(await textsOf(second)).toEqual([...BEGINNING, [2, 'of the second suite']]);
    } finally {
      await second.close();
    }
  });

  it('a suite starts without the statistics of another suite', async () => {
    /** The rows that the planner expects of a text; the statistics say that every row has it. */
    const expected = async (database: TestDatabase): Promise<unknown> => {
      await database.asOwner('chat', `insert into chat.note (text) select 'same' from generate_series(1, 1000)`);
      const [row] = await database.asOwner('chat', `explain (format json) select from chat.note where text = 'same'`);
      return (row?.['QUERY PLAN'] as readonly { readonly Plan: object }[])[0]?.Plan;
    };
    const first = await open();
    const unknown = await expected(first);
    await first.asOwner('chat', 'analyze chat.note');
    await first.close();
    const second = await open();
    try {
      expect(await expected(second)).toEqual(unknown);
    } finally {
      await second.close();
    }
  });

  it('suites share an engine unless one is isolated', async () => {
    // On a Unix socket, engines differ by its directory.
    const addressOf = async (isolated: boolean): Promise<string> => {
      const database = await open(isolated);
      const { host, port } = database.connection('chat_owner');
      await database.close();
      return `${host}:${port}`;
    };
    const shared = await addressOf(false);
    expect(await addressOf(false)).toBe(shared);
    expect(await addressOf(true)).not.toBe(shared);
  });

  it('two open test databases are separate', async () => {
    const [one, other] = [await open(), await open()];
    try {
      await add(one, 'of one');
      expect(await textsOf(other)).toEqual(BEGINNING);
    } finally {
      await one.close();
      await other.close();
    }
  });

  describe('beside a prepared cluster', () => {
    const letters: MigrationClass = sqlMigration('Letters1790000000002', 'create table auth.letter (text text)');
    const lettersOf = (database: TestDatabase) => database.asOwner('auth', 'select from auth.letter');
    const before = process.env[PREPARED_CLUSTER];
    beforeAll(async () => {
      process.env[PREPARED_CLUSTER] = await clusterWith({ chat: [notes], auth: [letters] });
    });
    afterAll(() => {
      if (before === undefined) delete process.env[PREPARED_CLUSTER];
      else process.env[PREPARED_CLUSTER] = before;
    });

    it('a suite gets the prepared cluster where that has its migrations', async () => {
      const database = await open();
      expect([await textsOf(database), await lettersOf(database)]).toEqual([BEGINNING, []]);
      await database.close();
    });

    it('a suite gets a cluster of its own where a migration differs', async () => {
      const database = await openTestDatabase({ chat: [] });
      await expect(textsOf(database)).rejects.toMatchObject({ code: '42P01' });
      await database.close();
    });
  });
});
