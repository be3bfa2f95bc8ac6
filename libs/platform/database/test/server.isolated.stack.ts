import { type Client } from 'pg';
import {
  Database,
  loginRoles,
  openPool,
  prepareServer,
  rolesOfOthers,
  runMigrations,
  sqlMigration,
  tenantTable,
} from '../src';
import { ESCAPES } from './escapes';
import { adminOf, asAdmin, killServer, passwordOf, passwords } from './server-support';
import { failureOf, type Running, startDatabase } from './support';

const GROUP = '11111111-1111-4111-8111-111111111111';
let db: Running;

beforeAll(async () => {
  db = await startDatabase();
  const secret = `create table chat.secret (group_id uuid not null, id int, primary key (group_id, id));
    ${tenantTable('chat', 'secret')}`;
  await db.run('chat_owner', secret);
  const database = new Database(db.server.connection('chat_app'));
  await database.write({ groupId: GROUP }, (tx) => tx.query('insert into chat.secret values ($1, 1)', [GROUP]));
  await database.close();
});
afterAll(() => db.close());

describe('the role of a connection to a server', () => {
  const seen = async (client: Client): Promise<unknown> => {
    await client.query('rollback');
    return (await client.query('select current_user as who, (select count(*)::int from chat.secret) as rows')).rows[0];
  };

  it.each(ESCAPES)('a role is not left by %s on a server', async (sql) => {
    const client = await db.client('chat_app');
    await client.query(sql).catch(() => undefined);
    expect(await seen(client)).toEqual({ who: 'chat_app', rows: 0 });
  });

  it('a role has no rights beyond its service and creates no tables', async () => {
    const powers = await db.run(
      'chat_app',
      `select rolname from pg_roles where (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)
       and rolname = any(array['${loginRoles().join("','")}'])`,
    );
    expect(powers).toEqual([]);
    expect(await failureOf(db.run('auth_app', 'select * from chat.secret'))).toBe('42501');
    expect(await failureOf(db.run('auth_owner', 'select * from chat.secret'))).toBe('42501');
    for (const table of ['chat.mine', 'public.mine', 'auth.mine'])
      expect(await failureOf(db.run('chat_app', `create table ${table} (id int)`))).toBe('42501');
  });

  it('a role logs in with its own password only', async () => {
    const pool = openPool({ ...db.server.connection('chat_app'), password: 'guess' });
    expect(await failureOf(pool.query('select 1'))).toBe('28P01');
    await pool.end();
  });
});

describe('a server', () => {
  const database = (): string => db.server.connection('chat_app').database;

  it('statements, waits and idle transactions that take too long are ended', async () => {
    const limits = await db.run(
      'retrieval_app',
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as wait,
         current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(limits).toEqual([{ statement: '30s', wait: '15s', idle: '15s' }]);
    const app = new Database(db.server.connection('chat_app'));
    const slow = app.read({ groupId: GROUP }, (tx) => tx.query('select pg_sleep(5)'), { statement_timeout: '200' });
    expect(await failureOf(slow)).toBe('57014');
    await app.close();
  });

  it('a read that loses a deadlock is repeated', async () => {
    const app = new Database(db.server.connection('chat_app'));
    let [attempts, locked] = [0, 0];
    let arrive: () => void = () => undefined;
    const bothHoldOne = new Promise<void>((resolve) => (arrive = resolve));
    const crossed = (first: number, second: number): Promise<unknown> =>
      app.read({ groupId: GROUP }, async (tx) => {
        attempts += 1;
        await tx.query('select pg_advisory_xact_lock($1)', [first]);
        locked += 1;
        if (locked === 2) arrive();
        await bothHoldOne;
        return tx.query('select pg_advisory_xact_lock($1)', [second]);
      });
    await Promise.all([crossed(71, 72), crossed(72, 71)]);
    expect(attempts).toBe(3);
    await app.close();
  });

  it('preparing a server again, also concurrently, renews the passwords', async () => {
    const renewed = { ...passwords(), chat_reconciler: 'renewed' };
    await Promise.all([1, 2, 3].map(() => prepareServer(adminOf(database()), renewed)));
    const pool = openPool({ ...db.server.connection('chat_reconciler'), password: 'renewed' });
    await pool.query('select 1');
    await pool.end();
    await prepareServer(adminOf(database()), { chat_reconciler: passwordOf('chat_reconciler') });
    expect(await db.run('chat_reconciler', 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('databases of one cluster are prepared with the same roles', async () => {
    const names = [0, 1, 2, 3].map((index) => `beside_${process.pid}_${index}`);
    for (const name of names) await asAdmin('postgres', `create database ${name}`);
    const prepared = names.flatMap((name) => [1, 2, 3].map(() => prepareServer(adminOf(name), passwords())));
    await expect(Promise.all(prepared)).resolves.toHaveLength(12);
    for (const name of names) await asAdmin('postgres', `drop database ${name} with (force)`);
  });

  it('roles that do not accept the passwords are named and unchanged', async () => {
    const admin = adminOf(database());
    expect(await rolesOfOthers(admin, passwords())).toEqual([]);
    const { chat_app: _missing, ...fewer } = passwords();
    expect(await rolesOfOthers(admin, { ...fewer, auth_owner: 'another' })).toEqual(['auth_owner', 'chat_app']);
    expect(await db.run('auth_owner', 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('a server without TLS gets no plain text when TLS is required', async () => {
    const secured = { ...db.server.connection('chat_app'), tls: {} };
    const pool = openPool(secured);
    await expect(pool.query('select 1')).rejects.toThrow(/does not support SSL/);
    await pool.end();
    const migration = sqlMigration('Nothing1700000000009', 'select 1');
    await expect(runMigrations({ ...secured, user: 'chat_owner' }, 'chat', [migration])).rejects.toThrow(/SSL/);
  });

  it('a killed server keeps committed rows', async () => {
    const group = '33333333-3333-4333-8333-333333333333';
    const app = new Database({ ...db.server.connection('chat_app'), max: 4 });
    const write = (id: number): Promise<unknown> =>
      app.write({ groupId: group }, (tx) => tx.query('insert into chat.secret values ($1, $2)', [group, id]));
    const committed: number[] = [];
    let next = 0;
    const load = async (until: number): Promise<void> => {
      while (next < until) {
        const id = (next += 1);
        await write(id).then(
          () => void committed.push(id),
          () => undefined,
        );
      }
    };
    await load(50);
    const killed = killServer();
    await Promise.all([load(150), load(150), killed]);
    await load(200);
    const rows = await app.read({ groupId: group }, (tx) => tx.query<{ id: number }>('select id from chat.secret'));
    const retained = new Set(rows.map(({ id }) => id));
    expect(committed.filter((id) => !retained.has(id))).toEqual([]);
    expect(committed.length).toBeGreaterThan(100);
    await app.close();
  });
});
