import fc from 'fast-check';
import { dependents, ownRows } from '../../src/users/dependents.store';
import { People } from './support';

let people: People;
beforeAll(async () => {
  people = await People.open();
}, 90_000);
afterAll(() => people.close());

/** The number of rows of each kind that depend on a user. */
const state = fc.record({
  roles: fc.nat(3),
  entidades: fc.nat(3),
  claves_api: fc.nat(4),
  sesiones: fc.nat(4),
  factores: fc.nat(3),
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
        for (const [kind, sql] of Object.entries(inserts))
          await people.auth.change(sql, [email, drawn[kind as keyof typeof drawn]]);
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
        expect(preview).toMatchObject({ dependencias: [...gone, ended], bloqueado: false });
        expect(gone).toEqual(Object.entries(drawn).map(([tipo, cantidad]) => ({ tipo, cantidad })));
        expect(preview['total']).toBe(Object.values(drawn).reduce((sum, count) => sum + count, 0));
      }),
      { numRuns: 15 },
    );
  }, 60_000);
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
  it('the preview covers every table that cascades from a user', async () => {
    const rows = await people.auth.server.asOwner(
      'auth',
      `select distinct c.relname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
       where k.contype = 'f' and k.confrelid = 'auth.app_user'::regclass order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([...tables, ...ownRows].toSorted());
  });
});
