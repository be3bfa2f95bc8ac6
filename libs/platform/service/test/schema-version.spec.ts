import type { ServiceName } from '@acervo/contracts';
import { RELEASE } from '@acervo/platform-config';
import { type MigrationClass, ranMigrations, sqlMigration } from '@acervo/platform-database';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { migrateAll, migrationsOf } from '../src/migrations/migrate';
import { assertVersions } from '../src/migrations/schema-compatibility';
import { assertSchema } from '../src/migrations/schema-version';

const first = sqlMigration('First1790000000001', 'create table chat.first (id int)');
const second = sqlMigration('Second1790000000002', 'create table chat.second (id int)');
const expanding = sqlMigration('Wider1890000000001', 'create table gateway.wider (id int)', { kind: 'expand' });
const contracting = sqlMigration('Narrow1890000000002', 'drop table retrieval.parked_key', {
  kind: 'contract',
  oldestProgram: '9.0.0',
});
const reachable = sqlMigration('Narrow1890000000003', 'drop table operations.parked_key', {
  kind: 'contract',
  oldestProgram: RELEASE,
});

describe('a service', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    const later = { chat: [first], gateway: [expanding], retrieval: [contracting], operations: [reachable] };
    const all = Object.entries(later).map(([name, added]) => [name, migrationsOf(name as ServiceName, added)]);
    database = await openTestDatabase(Object.fromEntries(all), { isolated: true });
  });
  afterAll(() => database.close());

  const starts = (name: ServiceName, migrations: readonly MigrationClass[]): Promise<void> =>
    assertSchema({ name, migrations }, database.database(name));

  it('a service starts on the schema of its version', async () => {
    await expect(starts('chat', [first])).resolves.toBeUndefined();
  });

  it('an older schema prevents the start, naming what to run', async () => {
    await expect(starts('chat', [first, second])).rejects.toThrow(
      /schema of chat lacks 1 of the \d+ changes .*\(Second1790000000002\)\. Run apps\/migrate of this version first/,
    );
  });

  it('an unmigrated schema prevents the start', async () => {
    await expect(starts('auth', [])).rejects.toThrow(/schema of auth lacks (\d+) of the \1 changes/);
  });

  it('a later expansion of the schema is accepted', async () => {
    await expect(starts('gateway', [])).resolves.toBeUndefined();
  });

  it('a later contraction is refused, naming the version to start', async () => {
    await expect(starts('retrieval', [])).rejects.toThrow(
      `A newer version has changed the schema of retrieval (Narrow1890000000002); programs before 9.0.0 cannot work with it, and this one is ${RELEASE}. Start 9.0.0 or later, or restore the backup from before it.`,
    );
  });

  it('a contraction that this release can work with is accepted', async () => {
    await expect(starts('operations', [])).resolves.toBeUndefined();
  });

  it('a later change without a declaration is refused', async () => {
    await expect(starts('chat', [])).rejects.toThrow(
      /Another version has changed the schema of chat \(First1790000000001\), without declaring .* Start that version/,
    );
  });

  it('an older migrate refuses a schema that a newer one contracted', async () => {
    const missing = sqlMigration('Late1880000000001', 'create table retrieval.late (id int)');
    const migrating = migrateAll({ retrieval: [missing] }, (role) => database.connection(role), ['retrieval']);
    await expect(migrating).rejects.toThrow(/programs before 9\.0\.0 cannot work with it/);
    expect(await database.asOwner('retrieval', `select to_regclass('retrieval.late') as late`)).toEqual([
      { late: null },
    ]);
  });

  it('an older migrate leaves a schema that a newer one expanded', async () => {
    const migrating = migrateAll({}, (role) => database.connection(role), ['gateway']);
    await expect(migrating).resolves.toEqual([]);
  });
});

describe('a schema from before the declarations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase({ chat: migrationsOf('chat', []) }, { isolated: true });
    await database.asOwner('chat', 'alter table chat.migrations drop column kind, drop column oldest_program');
  });
  afterAll(() => database.close());

  const migrate = (migrations: readonly MigrationClass[]): Promise<string[]> =>
    migrateAll({ chat: migrations }, (role) => database.connection(role), ['chat']);

  it('a program with exactly its migrations starts', async () => {
    await expect(assertSchema({ name: 'chat', migrations: [] }, database.database('chat'))).resolves.toBeUndefined();
  });

  it('its next migration stores a declaration, and none for earlier ones', async () => {
    const wider = sqlMigration('Wider1890000000004', 'create table chat.wider (id int)', { kind: 'expand' });
    expect(await migrate([wider])).toEqual(['chat.Wider1890000000004']);
    const ran = await ranMigrations(database.connection('chat_owner'), 'chat');
    expect(ran.filter(({ kind }) => kind !== null)).toEqual([
      { name: 'Wider1890000000004', kind: 'expand', oldestProgram: null },
    ]);
    expect(ran.length).toBeGreaterThan(3);
  });
});

describe('a contraction that names its oldest program', () => {
  const ran = (oldestProgram: string) => [{ name: 'Narrow1890000000002', kind: 'contract' as const, oldestProgram }];
  it.each([
    ['0.2.0', '0.10.0'],
    ['0.10.0', '1.0.0'],
    ['1.2.3', '1.2.4'],
  ])('a program of %s is refused where %s is the oldest', (release, oldest) => {
    expect(() => assertVersions('chat', [], ran(oldest), release)).toThrow(`Start ${oldest} or later`);
    expect(() => assertVersions('chat', [], ran(release), oldest)).not.toThrow();
  });

  it('the newest of several oldest programs is the one to start', () => {
    const both = [...ran('0.9.0'), ...ran('0.12.0')];
    expect(() => assertVersions('chat', [], both, '0.2.0')).toThrow('Start 0.12.0 or later');
  });
});
