import { randomUUID } from 'node:crypto';
import { DIRECTORY_ROLE } from '@acervo/platform-database';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { authMigrations } from '../src';
import { DirectoryDatabase } from '../src/databases/databases';
import { ExpiredRows } from '../src/upkeep/expired-rows.store';

const groups = [randomUUID(), randomUUID()];
const MANY = 2_500;
const VALID = `now() + interval '1 hour'`;
const EXPIRED = `now() - interval '1 second'`;

describe('rows that no request can use', () => {
  let server: TestDatabase;
  let directory: DirectoryDatabase;
  beforeAll(async () => {
    server = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
    directory = new DirectoryDatabase(server.connection(DIRECTORY_ROLE));
    for (const group of groups) await fill(group);
  });
  afterAll(async () => {
    await directory.close();
    await server.close();
  });

  /** `name` of a row says whether it is expected to stay. */
  const fill = (groupId: string): Promise<void> =>
    server.database('auth').write({ groupId }, async (tx) => {
      const user = randomUUID();
      const insert = (sql: string) => tx.query(sql, [groupId, user]);
      await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, $2, 'G')`, [groupId, groupId]);
      await tx.query(`insert into auth.app_user (group_id, user_id, email, name) values ($1, $2, $3, 'U')`, [
        groupId,
        user,
        `${user}@example.test`,
      ]);
      await insert(`insert into auth.session (group_id, user_id, expires_at, ended_at, active_entity) values
        ($1, $2, ${VALID}, null, 'stays'), ($1, $2, ${VALID}, now(), 'ended'), ($1, $2, ${EXPIRED}, null, 'expired')`);
      await insert(
        `insert into auth.session (group_id, user_id, expires_at) select $1, $2, ${EXPIRED} from generate_series(1, ${MANY})`,
      );
      await insert(`insert into auth.factor (group_id, user_id, kind, name, verified_at, created_at) values
        ($1, $2, 'totp', 'stays', now(), now() - interval '1 day'), ($1, $2, 'totp', 'stays', null, now() - interval '9 minutes'),
        ($1, $2, 'totp', 'expired', null, now() - interval '11 minutes')`);
      await insert(`insert into auth.refresh_token (group_id, token_id, session_id, hash, pepper_version, expires_at, used_at)
        select s.group_id, gen_random_uuid(), s.session_id, convert_to(t.name, 'utf8'), 1, t.expires, t.used from auth.session s,
          (values ('stays', ${VALID}, null), ('stays', ${VALID}, now()), ('expired', ${EXPIRED}, null)) t (name, expires, used)
        where s.active_entity is not null and s.user_id = $2 and s.group_id = $1`);
      await insert(`insert into auth.challenge (group_id, factor_id, session_id, nonce, expires_at)
        select s.group_id, f.factor_id, s.session_id, t.name, t.expires from auth.session s, auth.factor f,
          (values ('stays', ${VALID}), ('expired', ${EXPIRED})) t (name, expires)
        where s.active_entity is not null and s.group_id = $1 and s.user_id = $2`);
      await insert(`insert into auth.action_token (group_id, token_id, user_id, purpose, hash, pepper_version, expires_at, used_at)
        select $1, gen_random_uuid(), $2, 'INVITACION', convert_to(t.name, 'utf8'), 1, t.expires, t.used
        from (values ('stays', ${VALID}, null), ('used', ${VALID}, now()), ('expired', ${EXPIRED}, null)) t (name, expires, used)`);
      await insert(`insert into auth.api_key (group_id, key_id, user_id, role_id, name, created_by, pepper_version, secret_hash, revoked_at)
        select $1, gen_random_uuid()::text, $2, 3, t.name, $2, 1, convert_to('x', 'utf8'), t.revoked
        from (values ('stays', null), ('stays', now() - interval '29 days'), ('old', now() - interval '31 days')) t (name, revoked)`);
    });

  const names = async (groupId: string, table: string, name: string): Promise<unknown[]> => {
    const sql = `select ${name} as name from auth.${table} where group_id = $1 order by 1`;
    return (await server.database('auth').read({ groupId }, (tx) => tx.query<{ name: unknown }>(sql, [groupId]))).map(
      (row) => row.name,
    );
  };

  it('a prune deletes them in every group and keeps all others', async () => {
    await server.database('auth').ungrouped((tx) =>
      tx.query(`insert into auth.pending_registration (email, name, group_name, state, token_expires_at) values
        ('a@example.test', 'stays', 'G', 'PENDIENTE', now() - interval '6 days'),
        ('b@example.test', 'stays', 'G', 'MAIL_VALIDADO', now() - interval '1 year'),
        ('c@example.test', 'expired', 'G', 'PENDIENTE', now() - interval '8 days'),
        ('d@example.test', 'stays', 'G', 'CREACION_SEMILLA', now() - interval '6 days'),
        ('e@example.test', 'expired', 'G', 'CREACION_SEMILLA', now() - interval '8 days')`),
    );
    const pruning = new ExpiredRows(server.database('auth'), directory);
    await Promise.all([pruning.prune(), pruning.prune()]);
    for (const group of groups) {
      expect(await names(group, 'session', 'active_entity')).toEqual(['stays']);
      expect(await names(group, 'factor', 'name')).toEqual(['stays', 'stays']);
      expect(await names(group, 'refresh_token', `convert_from(hash, 'utf8')`)).toEqual(['stays', 'stays']);
      expect(await names(group, 'challenge', 'nonce')).toEqual(['stays', 'stays']);
      expect(await names(group, 'action_token', `convert_from(hash, 'utf8')`)).toEqual(['stays']);
      expect(await names(group, 'api_key', 'name')).toEqual(['stays', 'stays']);
    }
    const registrations = await server
      .database('auth')
      .ungrouped((tx) => tx.query<{ name: string }>(`select name from auth.pending_registration`));
    expect(registrations.map(({ name }) => name)).toEqual(['stays', 'stays', 'stays']);
  });
});
