import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { makeSystemUser, servicesWithUserData, userDeletionStarted, userDependentsDeleted } from '@acervo/contracts';
import { Transfer } from '@acervo/platform-database';
import { WorkScope } from '@acervo/rbac';
import { peopleTables } from '../../src/exports/tables';
import { dependents, ownRows } from '../../src/users/dependents.store';
import { StalledDeletions } from '../../src/users/stalled-deletions';
import { ADMIN } from '../support/auth';
import { People } from './support';
import { userRoutes } from './user-routes';

let people: People;
beforeAll(async () => {
  people = await People.open();
});
afterAll(() => people.close());

/** The number of rows of each kind that depend on a user. */
const state = fc.record({
  roles: fc.nat(3),
  entidades: fc.nat(3),
  claves_api: fc.nat(4),
  sesiones: fc.nat(4),
  factores: fc.nat(3),
  respuestas: fc.nat(5),
  areas: fc.nat(3),
  espacios: fc.nat(3),
  conversaciones: fc.nat(3),
});

const inserts: Readonly<Record<string, string>> = {
  roles: `insert into auth.user_role (group_id, user_id, role_id) select u.group_id, u.user_id, 3 + n from auth.app_user u, generate_series(1, $2::int) n where u.email = $1`,
  entidades: `with e as (insert into auth.entity (group_id, code, name) select u.group_id, 'X' || n, 'X' from auth.app_user u, generate_series(1, $2::int) n
      where u.email = $1 on conflict (group_id, code) do update set name = 'X' returning group_id, code)
    insert into auth.user_entity (group_id, user_id, entity_code) select u.group_id, u.user_id, e.code from auth.app_user u join e using (group_id) where u.email = $1`,
  claves_api: `insert into auth.api_key (group_id, key_id, user_id, role_id, name, created_by, pepper_version, secret_hash)
    select u.group_id, gen_random_uuid()::text, u.user_id, 3, 'k', u.user_id, 1, '' from auth.app_user u, generate_series(1, $2::int) n where u.email = $1`,
  sesiones: `insert into auth.session (group_id, user_id, expires_at) select u.group_id, u.user_id, now() from auth.app_user u, generate_series(1, $2::int) n where u.email = $1`,
  factores: `insert into auth.factor (group_id, user_id, kind, name) select u.group_id, u.user_id, 'totp', 't' from auth.app_user u, generate_series(1, $2::int) n where u.email = $1`,
};

const tables = dependents.map(({ table }) => table);
const counts = async (): Promise<Record<string, number>> => {
  const [row] = await people.auth.change(
    `select ${tables.map((table) => `(select count(*)::int from auth.${table}) as ${table}`).join(', ')}`,
  );
  return row as Record<string, number>;
};

describe('the preview of a deletion', () => {
  it('in any state the preview counts exactly what a deletion deletes', async () => {
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(state, async (drawn) => {
        const email = `user${(serial += 1)}@example.test`;
        await people.as('admin', 'POST', '/usuarios', { codigo: email, nombre: 'Alguien' });
        const { respuestas, areas, espacios, conversaciones, ...own } = drawn;
        for (const [kind, sql] of Object.entries(inserts))
          await people.auth.change(sql, [email, own[kind as keyof typeof own]]);
        people.auth.storedAnswers.answers.set(email, respuestas);
        people.auth.ownedSpaces.ofUsers.set(email, { areas, shared: espacios });
        people.auth.conversations.ofUsers.set(email, conversaciones);
        const before = await counts();
        const { body: preview } = await people.as('admin', 'GET', `/usuarios/${email}/preview-eliminar`);
        expect(await counts()).toEqual(before);
        expect((await people.as('admin', 'DELETE', `/usuarios/${email}`)).status).toBe(200);
        const after = await counts();
        const gone = dependents.map(({ kind, table }) => ({
          tipo: kind,
          cantidad: (before[table] ?? 0) - (after[table] ?? 0),
        }));
        const ended = { tipo: 'claves_de_otros', cantidad: 0 };
        const remote = [
          { tipo: 'respuestas_guardadas', cantidad: respuestas },
          { tipo: 'areas_de_trabajo', cantidad: areas },
          { tipo: 'espacios_compartidos', cantidad: espacios },
          { tipo: 'conversaciones', cantidad: conversaciones },
        ];
        expect(preview).toMatchObject({ dependencias: [...gone, ended, ...remote], bloqueado: false });
        expect(gone).toEqual(Object.entries(own).map(([tipo, cantidad]) => ({ tipo, cantidad })));
        expect(preview['total']).toBe(Object.values(drawn).reduce((sum, count) => sum + count, 0));
      }),
      { numRuns: 15 },
    );
  });
  it('the preview counts keys of others that the user created', async () => {
    const [maker, other] = ['maker@example.test', 'other@example.test'];
    for (const codigo of [maker, other]) await people.as('admin', 'POST', '/usuarios', { codigo, nombre: 'Alguien' });
    const key = (revoked: string) =>
      people.auth.change(
        `insert into auth.api_key (group_id, key_id, user_id, role_id, name, created_by, pepper_version, secret_hash, revoked_at)
         select o.group_id, gen_random_uuid()::text, o.user_id, 3, 'k', m.user_id, 1, '', ${revoked}
         from auth.app_user o, auth.app_user m where o.email = $1 and m.email = $2`,
        [other, maker],
      );
    for (const revoked of ['null', 'null', 'now()']) await key(revoked);
    const { body } = await people.as('admin', 'GET', `/usuarios/${maker}/preview-eliminar`);
    expect(body['dependencias']).toContainEqual({ tipo: 'claves_de_otros', cantidad: 2 });
    expect(body['total']).toBe(2);
  });
  it('the preview counts SYSTEM users alone in all groups', async () => {
    const { system } = people.auth.conversations;
    for (const name of ['user', 'system'])
      expect((await people.as('system', 'GET', `/usuarios/${name}@example.test/preview-eliminar`)).status).toBe(200);
    expect([...system]).toEqual(['system@example.test']);
  });
  it('without the counts of another service the preview is unavailable', async () => {
    people.auth.storedAnswers.isAway = true;
    const { status } = await people.as('admin', 'GET', '/usuarios/user@example.test/preview-eliminar');
    people.auth.storedAnswers.isAway = false;
    expect(status).toBe(503);
  });
  it('the preview covers every table that cascades from a user', async () => {
    const rows = await people.auth.server.asOwner(
      'auth',
      `select distinct c.relname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
       where k.contype = 'f' and k.confrelid = 'auth.app_user'::regclass order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([...tables, ...ownRows].toSorted());
  });
});

describe('a deleted user', () => {
  const email = 'leaving@example.test';
  const path = `/usuarios/${email}`;
  const create = (caller: 'admin' | 'other' = 'admin') =>
    people.as(caller, 'POST', '/usuarios', { codigo: email, nombre: 'Alguien', id_rol: 3 });
  const rowsOf = async (userId: string): Promise<Record<string, number>> => {
    const [row] = await people.auth.change(
      `select ${[...tables, ...ownRows, 'app_user'].map((table) => `(select count(*)::int from auth.${table} where user_id = $1) as ${table}`).join(', ')}`,
      [userId],
    );
    return row as Record<string, number>;
  };
  const none = Object.fromEntries([...tables, ...ownRows].map((table) => [table, 0]));
  const audited = async (): Promise<unknown[]> =>
    (await people.auth.published('audit.recorded.v1'))
      .filter(
        ({ call, outcome, subject }) => /^users\./.test(String(call)) && outcome === 'SUCCEEDED' && subject === email,
      )
      .map(({ call, actor }) => [call, actor]);
  let userId = '';
  let token = '';

  beforeAll(async () => {
    await people.user(email, 3);
    token = await people.auth.logIn({ email, password: ADMIN.password });
    for (const [kind, sql] of Object.entries(inserts)) if (kind !== 'roles') await people.auth.change(sql, [email, 2]);
    const [row] = await people.auth.change(`select user_id as id from auth.app_user where email = $1`, [email]);
    userId = String(row?.['id']);
    expect((await people.as('admin', 'DELETE', path)).body).toEqual({ codigo: email, eliminado: true });
  });

  it('all access ends with the call', async () => {
    expect(await rowsOf(userId)).toEqual({ ...none, user_deletion: servicesWithUserData.length, app_user: 1 });
    expect((await people.auth.ask('GET', '/auth/me', undefined, { token })).status).toBe(401);
    const login = await people.auth.ask('POST', '/auth/login', { email, password: ADMIN.password });
    expect(login.status).toBe(401);
  });
  it('every list and every route answers as for an absent user', async () => {
    for (const list of ['/usuarios?q=leaving', '/usuarios/todos?q=leaving'])
      expect((await people.as('system', 'GET', list)).body['items']).toEqual([]);
    for (const list of ['/usuarios/paginado?q=leaving', '/usuarios/todos/paginado?q=leaving'])
      expect((await people.as('system', 'GET', list)).body).toMatchObject({ items: [], total: 0 });
    const ofUser = userRoutes.filter(({ hidden }) => hidden !== undefined);
    for (const { method, hidden } of ofUser) {
      const at = hidden?.theirs.replace('ana@example.test', email) ?? '';
      expect([method, at, (await people.as('admin', method, at, hidden?.body)).status]).toEqual([method, at, 404]);
    }
    expect(ofUser.length).toBeGreaterThan(10);
  });
  it('the other services are notified once, with the id of the account', async () => {
    const events = (await people.auth.published(userDeletionStarted.topic)).filter(({ code }) => code === email);
    expect(events).toEqual([{ user_id: userId, code: email }]);
  });
  it('services that do not finish are notified again every hour', async () => {
    const stalled = people.auth.service.app.get(StalledDeletions, { strict: false });
    const published = async (): Promise<number> =>
      (await people.auth.published(userDeletionStarted.topic)).filter((event) => event['user_id'] === userId).length;
    await stalled.repeat();
    expect(await published()).toBe(1);
    await people.auth.change(`update auth.user_deletion set asked_at = asked_at - interval '61 minutes'`);
    for (let round = 0; round < 2; round += 1) await stalled.repeat();
    expect(await published()).toBe(2);
  });
  it('its address is reserved in the group until they have finished', async () => {
    const refused = await create();
    expect([refused.status, refused.body['detalles']]).toEqual([409, { motivo: 'USER_BEING_DELETED' }]);
    expect(refused.body['mensaje']).toContain('espere un momento');
    const made = people.auth.calls.send(
      makeSystemUser,
      new WorkScope(people.auth.group.groupId, 'standalone', 'test'),
      { email },
    );
    await expect(made).rejects.toMatchObject({ details: { reason: 'USER_BEING_DELETED' } });
  });
  it('its address is free in other groups at once', async () => {
    expect((await create('other')).status).toBe(201);
    expect((await people.as('other', 'DELETE', path)).status).toBe(200);
  });
  it('an account in deletion is not exported', async () => {
    const { groupId } = people.auth.group;
    const transfer = new Transfer('auth', peopleTables);
    const snapshotId = randomUUID();
    const rows = await people.auth.database.writeFromSnapshot({ groupId }, async (tx) => {
      await transfer.takeSnapshot(tx, snapshotId);
      return transfer.page(tx, { snapshotId, table: 'app_user', page: 0 });
    });
    expect(rows.map((row) => row['email'])).not.toContain(email);
    expect(rows.length).toBeGreaterThan(2);
  });
  it('an answer about an existing user, or one that was never asked, deletes nothing', async () => {
    const [other] = await people.auth.change(
      `select user_id as id from auth.app_user where email = 'user@example.test'`,
    );
    await people.auth.hear(userDependentsDeleted, { userId: String(other?.['id']), service: 'operations' });
    await people.auth.hear(userDependentsDeleted, { userId: randomUUID(), service: 'operations' });
    expect((await people.as('admin', 'GET', '/usuarios/user@example.test')).status).toBe(200);
    expect(await rowsOf(userId)).toMatchObject({ app_user: 1 });
  });
  it('a deletion waits for every service that it began with', async () => {
    const [last, ...others] = servicesWithUserData;
    for (const service of others) await people.auth.hear(userDependentsDeleted, { userId, service });
    expect(await rowsOf(userId)).toMatchObject({ user_deletion: 1, app_user: 1 });
    const waiting = await people.auth.change('select service from auth.user_deletion where user_id = $1', [userId]);
    expect(waiting).toEqual([{ service: last }]);
  });
  it('the last answer deletes the account, and is recorded once however often it comes', async () => {
    const event = randomUUID();
    for (const id of [event, event, randomUUID()])
      await people.auth.hear(userDependentsDeleted, { userId, service: 'operations' }, id);
    expect(await rowsOf(userId)).toEqual({ ...none, app_user: 0 });
    expect(await audited()).toEqual([
      ['users.delete', 'admin@example.test'],
      ['users.create', 'admin@other.test'],
      ['users.delete', 'admin@other.test'],
      ['users.end_deletion', 'service:auth'],
    ]);
  });
  it('a new account of the address is another one, which late answers do not touch', async () => {
    expect((await create()).status).toBe(201);
    await people.auth.hear(userDependentsDeleted, { userId, service: 'operations' });
    expect((await people.as('admin', 'GET', path)).body).toMatchObject({ codigo: email, estado: 'PENDIENTE' });
  });
});
