import {
  assertNoRowsWithoutGroup,
  catalogueViolations,
  Database,
  forceRowSecurity,
  reconcilable,
  ranMigrations,
  runMigrations,
  sqlMigration,
  tenantTable,
  type Transaction,
} from '../src';
import { failureOf, type Running, startDatabase } from './support';

let db: Running;

beforeAll(async () => {
  db = await startDatabase();
});
afterAll(() => db.close());

const query: Transaction['query'] = (sql, params) => db.run('chat_owner', sql, params && [...params]);
const found = (...notTenant: string[]): Promise<string[]> =>
  catalogueViolations(query, { schema: 'chat', appRole: 'chat_app', notTenant });

const COLUMNS = 'group_id uuid not null, id int not null, text text';
const GOOD = `create table chat.t (${COLUMNS}, primary key (group_id, id));`;
const SECURED = `${GOOD} ${tenantTable('chat', 't')}`;
const POLICY = "group_id = nullif(current_setting('app.group_id', true), '')::uuid";
const FORCED = 'alter table chat.t enable row level security; alter table chat.t force row level security;';

describe('the catalogue', () => {
  afterEach(async () => {
    await query('drop schema chat cascade; create schema chat; grant usage on schema chat to chat_app').catch(
      async () => {
        const tables = await query<{ name: string }>(
          "select relname as name from pg_class where relnamespace = 'chat'::regnamespace and relkind in ('r', 'p') and not relispartition",
        );
        if (tables.length > 0) await query(`drop table ${tables.map(({ name }) => `chat.${name}`).join(', ')} cascade`);
      },
    );
  });

  it.each([
    ['an unlisted table', 'create table chat.t (id int)', 'has no group_id'],
    ['a group that may be null', `create table chat.t (group_id uuid); ${tenantTable('chat', 't')}`, 'has no group_id'],
    ['a table without row level security', GOOD, 'does not force row level security'],
    [
      'row level security that does not bind the owner',
      `${SECURED} alter table chat.t no force row level security`,
      'does not force row level security',
    ],
    ['a table without the policy', `${GOOD} ${FORCED}`, 'lacks the policy own_group'],
    [
      'a policy without WITH CHECK',
      `${GOOD} ${FORCED} create policy own_group on chat.t using (${POLICY})`,
      'lacks the policy own_group',
    ],
    [
      'a policy that lets every row be written',
      `${GOOD} ${FORCED} create policy own_group on chat.t using (${POLICY}) with check (true)`,
      'lacks the policy own_group',
    ],
    [
      'a policy that shows every row',
      `${GOOD} ${FORCED} create policy own_group on chat.t using (true) with check (${POLICY})`,
      'lacks the policy own_group',
    ],
    [
      'a policy for one command only',
      `${GOOD} ${FORCED} create policy own_group on chat.t for update using (${POLICY}) with check (${POLICY})`,
      'lacks the policy own_group',
    ],
    [
      'a second policy for all roles',
      `${SECURED} create policy all_rows on chat.t for select using (true)`,
      'has another policy that lets chat_app in',
    ],
    [
      'a second policy for the app',
      `${SECURED} create policy all_rows on chat.t for select to chat_app using (true)`,
      'has another policy that lets chat_app in',
    ],
    [
      'a primary key without the group',
      `create table chat.t (${COLUMNS}, primary key (id)); ${tenantTable('chat', 't')}`,
      'has the key t_pkey without group_id',
    ],
    [
      'a unique constraint without the group',
      `${SECURED} alter table chat.t add unique (text)`,
      'has the key t_text_key',
    ],
    [
      'a unique index without the group',
      `${SECURED} create unique index t_text on chat.t (text)`,
      'has the key t_text ',
    ],
    [
      'a foreign key without the group',
      `${SECURED} create table chat.other (id int primary key);
       alter table chat.t add constraint t_other foreign key (id) references chat.other`,
      'has the key t_other without group_id',
      'other',
    ],
    [
      'a partition that the app reads by its name, without a policy',
      `create table chat.t (bucket int not null, ${COLUMNS}, primary key (group_id, bucket, id)) partition by list (bucket);
       ${tenantTable('chat', 't')} create table chat.t_1 partition of chat.t for values in (1);
       grant select on chat.t_1 to chat_app`,
      'chat.t_1 does not force row level security',
    ],
    ['a table that is listed and does not exist', SECURED, 'chat.gone is listed and does not exist', 'gone'],
  ])('the schema check finds %s', async (_, sql, sentence, ...notTenant) => {
    await query(sql);
    const violations = await found(...notTenant);
    expect(violations.filter((each) => each.includes(sentence))).toHaveLength(1);
  });

  it('a correct schema has no violations', async () => {
    await query(`${SECURED} ${reconcilable('chat', 't', ['group_id', 'id'])}
      create table chat.incoming (id int primary key);
      create table chat.part (bucket int not null, ${COLUMNS}, primary key (group_id, bucket, id)) partition by list (bucket);
      ${tenantTable('chat', 'part')}
      create table chat.part_1 partition of chat.part for values in (1);
      create table chat.part_2 partition of chat.part for values in (2);
      ${forceRowSecurity('chat.part_2')} grant select on chat.part_2 to chat_app`);
    expect(await found('incoming')).toEqual([]);
  });
  it('a table owned by a service login is found', async () => {
    const owned = await catalogueViolations(async (sql, params) => db.run('chat_owner', sql, params && [...params]), {
      schema: 'chat',
      appRole: 'chat_owner',
      notTenant: [],
    });
    expect(owned).toEqual([]);
    await query(SECURED);
    expect(await catalogueViolations(query, { schema: 'chat', appRole: 'chat_owner', notTenant: [] })).toEqual([
      'chat.t is owned by the role that services log in with.',
    ]);
  });
  it('a role with excessive rights is found', async () => {
    const violations = await catalogueViolations(query, { schema: 'chat', appRole: 'postgres', notTenant: [] });
    expect(violations).toEqual(['postgres has powers that no service may have.']);
  });
  it('the reconciler sees only the named columns, of all groups', async () => {
    await query(`${SECURED} ${reconcilable('chat', 't', ['group_id', 'id'])}`);
    const group = '11111111-1111-4111-8111-111111111111';
    await db.run(
      'chat_app',
      `begin; select set_config('app.group_id', '${group}', true);
      insert into chat.t values ('${group}', 1, 'private'); commit`,
    );
    expect(await db.run('chat_reconciler', 'select group_id, id from chat.t')).toEqual([{ group_id: group, id: 1 }]);
    expect(await failureOf(db.run('chat_reconciler', 'select text from chat.t'))).toBe('42501');
    expect(await failureOf(db.run('chat_reconciler', 'delete from chat.t'))).toBe('42501');
  });
});

describe('the check at start-up', () => {
  it('visible rows without a group fail the start, naming the table', async () => {
    await db.run(
      'auth_owner',
      `create table auth.closed (group_id uuid not null); ${tenantTable('auth', 'closed')}
      create table auth.open (group_id uuid not null); grant select, insert on auth.open to auth_app;
      insert into auth.open values (gen_random_uuid())`,
    );
    const database = new Database(db.server.connection('auth_app'));
    const check = (...tables: string[]): Promise<void> =>
      database.ungrouped((tx) => assertNoRowsWithoutGroup((sql, params) => tx.query(sql, params), tables));
    await check();
    await check('auth.closed');
    await expect(check('auth.closed', 'auth.open')).rejects.toThrow(/^auth\.open show rows without a group/);
    await database.close();
  });
});

describe('migrations', () => {
  const first = sqlMigration('First1700000000001', 'create table operations.one (id int)');
  const owner = (): ReturnType<Running['server']['connection']> => db.server.connection('operations_owner');
  it('migrations run once each, in order, as the schema owner', async () => {
    const second = sqlMigration('Second1700000000002', 'alter table operations.one add column text text');
    expect(await runMigrations(owner(), 'operations', [second, first])).toEqual([
      'First1700000000001',
      'Second1700000000002',
    ]);
    expect(await runMigrations(owner(), 'operations', [first, second])).toEqual([]);
    expect(await db.run('operations_owner', 'select * from operations.one')).toEqual([]);
  });
  it('a failed migration leaves no changes', async () => {
    const third = sqlMigration('Third1700000000003', 'create table operations.two (id int); select 1 / 0');
    expect(await failureOf(runMigrations(owner(), 'operations', [third]))).toBe('22012');
    expect(await db.run('operations_owner', "select to_regclass('operations.two')::text as t")).toEqual([{ t: null }]);
  });
  it('migrations only go forward, and end in a timestamp', async () => {
    await expect(new first().down({} as never)).rejects.toThrow('cannot be reverted');
    expect(() => sqlMigration('NoTime', '')).toThrow(TypeError);
  });
  it('a migration stores what it declares about older programs', async () => {
    const wider = sqlMigration('Wider1700000000004', 'create table operations.wider (id int)', { kind: 'expand' });
    const narrow = sqlMigration('Narrow1700000000005', 'drop table operations.wider', {
      kind: 'contract',
      oldestProgram: '1.2.0',
    });
    await runMigrations(owner(), 'operations', [wider, narrow]);
    const ran = await ranMigrations(owner(), 'operations');
    expect(ran.slice(-2)).toEqual([
      { name: 'Wider1700000000004', kind: 'expand', oldestProgram: null },
      { name: 'Narrow1700000000005', kind: 'contract', oldestProgram: '1.2.0' },
    ]);
    expect(ran[0]).toEqual({ name: 'First1700000000001', kind: null, oldestProgram: null });
    expect(() => sqlMigration('Odd1700000000006', '', { kind: 'contract', oldestProgram: 'next' })).toThrow(TypeError);
  });
});
