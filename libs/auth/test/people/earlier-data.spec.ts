import { randomUUID } from 'node:crypto';
import { ownerRole, runMigrations } from '@acervo/platform-database';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase } from '@acervo/platform-testing';
import { authMigrations } from '../../src/migrations';
import { foldedAddresses } from '../../src/migrations/addresses';
import { confirmedAddresses } from '../../src/migrations/confirmed-addresses';

describe('an installation that is older than people and roles', () => {
  it('an upgrade keeps groups and users and adds directories and catalogue', async () => {
    const server = await openTestDatabase(
      { auth: migrationsOf('auth', authMigrations.slice(0, 1)) },
      { isolated: true },
    );
    try {
      const database = server.database('auth');
      const groupId = randomUUID();
      await database.write({ groupId }, async (tx) => {
        await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, 'G1', 'Antes')`, [groupId]);
        await tx.query(`insert into auth.app_user (group_id, email, name) values ($1, 'Old@example.test', 'Old')`, [
          groupId,
        ]);
      });
      await runMigrations(server.connection(ownerRole('auth')), 'auth', migrationsOf('auth', authMigrations));
      const rows = await database.write({ groupId }, async (tx) => ({
        people: await tx.query(
          `select d.email, d.group_id, d.state from auth.login_directory d join auth.app_user u using (group_id, email)`,
        ),
        groups: await tx.query(`select code, name from auth.group_directory`),
        functions: await tx.query(`select from auth.global_function where document like '# %' and alias <> ''`),
        roles:
          await tx.query(`select role_id as id, (select count(*)::int from auth.global_role_function f where f.role_id = r.role_id) as functions
          from auth.global_role r order by role_id`),
        applications: await tx.query(`select code from auth.global_application order by position`),
      }));
      expect(rows).toMatchObject({
        people: [{ email: 'old@example.test', group_id: groupId, state: 'ACTIVO' }],
        groups: [{ code: 'G1', name: 'Antes' }],
        roles: [
          { id: 1, functions: 21 },
          { id: 2, functions: 21 },
          { id: 3, functions: 5 },
          { id: 4, functions: 2 },
        ],
        applications: [{ code: 'WEB' }, { code: 'DESKTOP' }],
      });
      expect(rows.functions).toHaveLength(21);
      expect(await database.ungrouped((tx) => tx.query(`select from auth.login_directory`))).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it('an upgrade folds addresses; of equal ones the others get a subaddress', async () => {
    const before = authMigrations.slice(0, authMigrations.indexOf(foldedAddresses));
    const server = await openTestDatabase({ auth: migrationsOf('auth', before) }, { isolated: true });
    try {
      const database = server.database('auth');
      const [first, second] = [randomUUID(), randomUUID()];
      const [composed, decomposed] = ['jos\u00e9@example.test', 'jose\u0301@example.test'];
      const [lone, long] = ['zoe\u0308@example.test', `${'a'.repeat(63)}e\u0301@example.test`];
      const add = async (groupId: string, emails: readonly string[]): Promise<void> =>
        database.write({ groupId }, async (tx) => {
          await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, $2, 'Antes')`, [
            groupId,
            groupId,
          ]);
          for (const [days, email] of emails.entries())
            await tx.query(
              `insert into auth.app_user (group_id, email, name, created_at) values ($1, $2, $2, now() + make_interval(days => $3))`,
              [groupId, email, days],
            );
        });
      await add(first, [decomposed, lone, long.normalize('NFC')]);
      await add(second, [composed, long, 'plain@example.test']);
      await database.ungrouped((tx) =>
        tx.query(
          `insert into auth.pending_registration (email, name, group_name) values ($1, 'A', 'A'), ($2, 'B', 'B'), ($3, 'C', 'C')`,
          [decomposed, composed, lone],
        ),
      );
      await runMigrations(server.connection(ownerRole('auth')), 'auth', migrationsOf('auth', authMigrations));
      const users = (groupId: string) =>
        database.read({ groupId }, (tx) =>
          tx.query<{ email: string; spared: string }>(
            `select u.email, '+' || right(u.user_id::text, 12) as spared from auth.app_user u
             join auth.login_directory d on d.user_id = u.user_id and d.email = u.email
             where u.group_id = $1 order by u.created_at`,
            [groupId],
          ),
        );
      const [older, newer] = [await users(first), await users(second)];
      expect(older.map(({ email }) => email)).toEqual([
        `jos\u00e9${older[0]?.spared}@example.test`,
        lone.normalize('NFC'),
        long.normalize('NFC'),
      ]);
      expect(newer.map(({ email }) => email)).toEqual([
        composed,
        `${'a'.repeat(51)}${newer[1]?.spared}@example.test`,
        'plain@example.test',
      ]);
      const registrations = await database.ungrouped((tx) =>
        tx.query(`select email, name from auth.pending_registration order by name`),
      );
      expect(registrations).toEqual([
        { email: composed, name: 'B' },
        { email: lone.normalize('NFC'), name: 'C' },
      ]);
      const unfolded = database.write({ groupId: first }, (tx) =>
        tx.query(`insert into auth.app_user (group_id, email, name) values ($1, 'Unfolded@example.test', 'X')`, [
          first,
        ]),
      );
      await expect(unfolded).rejects.toThrow('app_user_email_folded');
      expect(await database.ungrouped((tx) => tx.query(`select from auth.login_directory`))).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it('an upgrade confirms the addresses of all but invited users', async () => {
    const before = authMigrations.slice(0, authMigrations.indexOf(confirmedAddresses));
    const server = await openTestDatabase({ auth: migrationsOf('auth', before) }, { isolated: true });
    try {
      const database = server.database('auth');
      const groups = [randomUUID(), randomUUID()];
      const [first = '', second = ''] = groups;
      for (const groupId of groups)
        await database.write({ groupId }, (tx) =>
          tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, $2, 'Antes')`, [groupId, groupId]),
        );
      const add = (groupId: string, state: string, confirmed = ''): Promise<unknown> =>
        database.write({ groupId }, (tx) =>
          tx.query(
            `insert into auth.app_user (group_id, email, name, state ${confirmed && ', address_confirmed'})
             values ($1, lower($2) || '@example.test', 'X', $2 ${confirmed && ', true'})`,
            [groupId, state],
          ),
        );
      for (const state of ['ACTIVO', 'INACTIVO', 'PENDIENTE']) await add(first, state);
      await runMigrations(server.connection(ownerRole('auth')), 'auth', migrationsOf('auth', authMigrations));
      const rows = await database.read({ groupId: first }, (tx) =>
        tx.query(
          `select d.state from auth.login_directory d join auth.app_user u using (group_id, user_id)
           where d.confirmed and u.address_confirmed order by 1`,
        ),
      );
      expect(rows).toEqual([{ state: 'ACTIVO' }, { state: 'INACTIVO' }]);
      await add(second, 'PENDIENTE');
      await expect(add(second, 'ACTIVO', 'confirmed')).rejects.toThrow('login_directory_confirmed');
      expect(await database.ungrouped((tx) => tx.query(`select from auth.login_directory`))).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
