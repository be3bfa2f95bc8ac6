import { type MigrationClass, sqlMigration } from '@acervo/platform-database';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { migrationsOf } from '../src/migrate';
import { assertSchema } from '../src/schema-version';

const first = sqlMigration('First1790000000001', 'create table chat.first (id int)');
const second = sqlMigration('Second1790000000002', 'create table chat.second (id int)');

describe('a service', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase({ chat: migrationsOf('chat', [first]) }, { isolated: true });
  }, 60_000);
  afterAll(() => database.close());

  const starts = (name: 'chat' | 'gateway', migrations: readonly MigrationClass[]): Promise<void> =>
    assertSchema({ name, migrations }, database.database(name));

  it('a service starts on the schema of its version', async () => {
    await expect(starts('chat', [first])).resolves.toBeUndefined();
  });

  it('an older schema prevents the start, naming what to run', async () => {
    await expect(starts('chat', [first, second])).rejects.toThrow(
      /schema of chat lacks 1 of the \d+ changes .*\(Second1790000000002\)\. Run apps\/migrate of this version first/,
    );
  });

  it('a newer schema prevents the start', async () => {
    await expect(starts('chat', [])).rejects.toThrow(
      /A newer version has changed the schema of chat \(First1790000000001\)/,
    );
  });

  it('an unmigrated schema prevents the start', async () => {
    await expect(starts('gateway', [])).rejects.toThrow(/schema of gateway lacks (\d+) of the \1 changes/);
  });
});
