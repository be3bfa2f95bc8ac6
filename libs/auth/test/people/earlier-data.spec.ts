import { randomUUID } from 'node:crypto';
import { ownerRole, runMigrations } from '@acervo/platform-database';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase } from '@acervo/platform-testing';
import { authMigrations } from '../../src/migrations';

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
  }, 60_000);
});
