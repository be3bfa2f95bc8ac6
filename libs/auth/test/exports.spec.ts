import { randomUUID } from 'node:crypto';
import { NotTransferred, type Row } from '@acervo/platform-database';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, tenantTablesOf, type TestDatabase } from '@acervo/platform-testing';
import { PeopleTransfer } from '../src/exports/people-transfer';
import { leftBehind, peopleTables, storedForm } from '../src/exports/tables';
import { authMigrations } from '../src/migrations';

describe('the transfer of people to another installation', () => {
  let database: TestDatabase;
  const transfer = new PeopleTransfer();
  beforeAll(async () => {
    database = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
  });
  afterAll(() => database.close());

  /** The rows of a table, page by page, from a snapshot of the group. */
  const exported = async (groupId: string, table: string, between = (): Promise<unknown> => Promise.resolve()) => {
    const auth = database.database('auth');
    const snapshotId = randomUUID();
    const taken = await auth.writeFromSnapshot({ groupId }, (tx) => transfer.takeSnapshot(tx, snapshotId));
    const rows: Row[] = [];
    const { pages } = taken.find((each) => each.table === table) ?? { pages: 0 };
    for (let page = 0; page < pages; page += 1) {
      await between();
      rows.push(...(await auth.read({ groupId }, (tx) => transfer.page(tx, { snapshotId, table, page }))));
    }
    await auth.write({ groupId }, (tx) => transfer.dropSnapshot(tx, snapshotId));
    return rows;
  };
  const carryOver = async (from: string, to: string, table: string): Promise<readonly Row[]> => {
    const rows = await exported(from, table);
    await database.database('auth').write({ groupId: to }, (tx) => transfer.write(tx, table, rows));
    return rows;
  };
  const pagesOf = async (groupId: string): Promise<number> =>
    (await database.database('auth').read({ groupId }, (tx) => tx.query('select from auth.export_page'))).length;

  it('every tenant table is transferred or listed as left behind', async () => {
    const listedTables = [...peopleTables.map(({ name }) => name), ...leftBehind];
    expect(await tenantTablesOf(database, 'auth')).toEqual([...listedTables].sort());
  });

  it('pages contain every row exactly once', async () => {
    const groupId = randomUUID();
    const auth = database.database('auth');
    const names = Array.from({ length: 425 }, (_, index) => `n${String(index).padStart(3, '0')}`);
    await auth.write({ groupId }, (tx) =>
      tx.query(`insert into auth.counter (group_id, name, value) select $1, unnest($2::text[]), 7`, [groupId, names]),
    );
    expect((await exported(groupId, 'counter')).map((row) => row['name'])).toEqual(names);
  });

  it('all pages are as of one moment, whatever changes between them', async () => {
    const groupId = randomUUID();
    const auth = database.database('auth');
    await auth.write({ groupId }, (tx) =>
      tx.query(
        `insert into auth.counter (group_id, name, value) select $1, 'n' || n, 7 from generate_series(1000, 1899) n`,
        [groupId],
      ),
    );
    let round = 0;
    const change = (): Promise<unknown> =>
      auth.write({ groupId }, async (tx) => {
        round += 1;
        await tx.query(`delete from auth.counter where group_id = $1 and name = 'n' || (1900 - $2::int)`, [
          groupId,
          round,
        ]);
        await tx.query(`insert into auth.counter (group_id, name, value) values ($1, 'a' || $2::int, 7)`, [
          groupId,
          round,
        ]);
        await tx.query(`update auth.counter set value = value + 1 where group_id = $1`, [groupId]);
      });
    const rows = await exported(groupId, 'counter', change);
    expect(round).toBe(5);
    expect(new Set(rows.map((row) => row['value']))).toEqual(new Set([7]));
    expect(rows.map((row) => row['name'])).toEqual(Array.from({ length: 900 }, (_, at) => `n${1000 + at}`));
  });

  it('a dropped snapshot leaves nothing, an abandoned one goes after an hour', async () => {
    const groupId = randomUUID();
    const auth = database.database('auth');
    await auth.write({ groupId }, (tx) =>
      tx.query(`insert into auth.counter (group_id, name, value) values ($1, 'n', 1)`, [groupId]),
    );
    const take = () => auth.writeFromSnapshot({ groupId }, (tx) => transfer.takeSnapshot(tx, randomUUID()));
    await exported(groupId, 'counter');
    expect(await pagesOf(groupId)).toBe(0);
    await take();
    await take();
    expect(await pagesOf(groupId)).toBe(2);
    await database.asOwner('auth', 'alter table auth.export_page no force row level security');
    await database.asOwner('auth', `update auth.export_page set made_at = made_at - interval '61 minutes'`);
    await database.asOwner('auth', 'alter table auth.export_page force row level security');
    await take();
    expect(await pagesOf(groupId)).toBe(1);
  });

  it('rows keep bytes and times, under the importing group, written once', async () => {
    const [from, to, userId] = [randomUUID(), randomUUID(), randomUUID()];
    const auth = database.database('auth');
    await auth.write({ groupId: from }, async (tx) => {
      await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, $2, 'Uno')`, [from, from]);
      await tx.query(`insert into auth.app_user (group_id, user_id, email, name) values ($1, $2, $3, 'Ana')`, [
        from,
        userId,
        `${userId}@example.org`,
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
    const users = await exported(from, 'app_user');
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

  it('writing an unlisted table is refused', async () => {
    const writing = database
      .database('auth')
      .write({ groupId: randomUUID() }, (tx) => transfer.write(tx, 'session', []));
    await expect(writing).rejects.toThrow(NotTransferred);
  });
});
