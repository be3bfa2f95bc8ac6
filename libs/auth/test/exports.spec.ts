import { randomUUID } from 'node:crypto';
import { Transfer, NotTransferred, type Row } from '@acervo/platform-database';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { leftBehind, peopleTables, storedForm } from '../src/exports/tables';
import { authMigrations } from '../src/migrations';

describe('the transfer of people to another installation', () => {
  let database: TestDatabase;
  const transfer = new Transfer('auth', peopleTables);
  beforeAll(async () => {
    database = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
  }, 60_000);
  afterAll(() => database.close());

  const carryOver = async (from: string, to: string, table: string): Promise<Row[]> => {
    const rows = await database.database('auth').read({ groupId: from }, (tx) => transfer.read(tx, table, null, 100));
    await database.database('auth').write({ groupId: to }, (tx) => transfer.write(tx, table, rows));
    return rows;
  };

  it('every tenant table is transferred or listed as left behind', async () => {
    const tables = await database.asOwner(
      'auth',
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'group_id'
       where c.relnamespace = 'auth'::regnamespace and c.relkind = 'r' and c.relforcerowsecurity order by 1`,
    );
    const listedTables = [...peopleTables.map(({ name }) => name), ...leftBehind];
    expect(tables.map(({ name }) => name)).toEqual([...listedTables].sort());
  });

  it('pages contain every row exactly once', async () => {
    const groupId = randomUUID();
    const auth = database.database('auth');
    const names = Array.from({ length: 25 }, (_, index) => `n${String(index).padStart(2, '0')}`);
    await auth.write({ groupId }, (tx) =>
      tx.query(`insert into auth.counter (group_id, name, value) select $1, unnest($2::text[]), 7`, [groupId, names]),
    );
    const read: unknown[] = [];
    for (let after: Row | null = null, rows: Row[] = [{}]; rows.length > 0; after = rows.at(-1) ?? null) {
      rows = await auth.read({ groupId }, (tx) => transfer.read(tx, 'counter', after, 10));
      read.push(...rows.map((row) => row['name']));
    }
    expect(read).toEqual(names);
  });

  it('rows keep bytes and times, under the importing group, written once', async () => {
    const [from, to, userId] = [randomUUID(), randomUUID(), randomUUID()];
    const auth = database.database('auth');
    await auth.write({ groupId: from }, async (tx) => {
      await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, $2, 'Uno')`, [from, from]);
      await tx.query(`insert into auth.app_user (group_id, user_id, email, name) values ($1, $2, $3, 'Ana')`, [
        ...[from, userId, `${userId}@example.org`],
      ]);
      await tx.query(
        `insert into auth.api_key (group_id, key_id, user_id, role_id, name, created_by, pepper_version, secret_hash)
         values ($1, 'k', $2, 1, 'clave', $2, 1, '\\x00ff10')`,
        [from, userId],
      );
    });
    await auth.write({ groupId: to }, (tx) =>
      tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, $2, 'Dos')`, [to, to]),
    );
    const users = await auth.read({ groupId: from }, (tx) => transfer.read(tx, 'app_user', null, 10));
    const elsewhere = users.map((user) => ({ ...user, email: 'other@example.org', group_id: from, unknown: 1 }));
    await auth.write({ groupId: to }, (tx) => transfer.write(tx, 'app_user', elsewhere));
    for (let times = 0; times < 2; times += 1) await carryOver(from, to, 'api_key');
    const keys = (groupId: string): Promise<Row[]> =>
      auth.read({ groupId }, (tx) =>
        tx.query(`select key_id, secret_hash, created_at from auth.api_key where group_id = $1`, [groupId]),
      );
    expect(await keys(to)).toEqual(await keys(from));
  });

  it('addresses of an earlier version are imported folded', () => {
    const rows = [{ user_id: 'u', email: 'jose\u0301@example.test', address_confirmed: false }];
    expect(storedForm('app_user', rows)).toEqual([{ ...rows[0], email: 'jos\u00e9@example.test' }]);
    expect(storedForm('api_key', rows)).toBe(rows);
  });

  it('users of an earlier version are imported confirmed, unless invited', () => {
    const rows = ['ACTIVO', 'INACTIVO', 'PENDIENTE'].map((state) => ({ email: 'a@example.test', state }));
    const imported = storedForm('app_user', rows);
    expect(imported.map((row) => row['address_confirmed'])).toEqual([true, true, false]);
  });

  it('reading an unlisted table is refused', async () => {
    const reading = database
      .database('auth')
      .read({ groupId: randomUUID() }, (tx) => transfer.read(tx, 'session', null, 1));
    await expect(reading).rejects.toThrow(NotTransferred);
  });
});
