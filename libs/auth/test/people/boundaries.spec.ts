import { CATALOGUE_ROLE, Database, DIRECTORY_ROLE } from '@acervo/platform-database';
import { People } from './support';

let people: People;
beforeAll(async () => {
  people = await People.open();
});
afterAll(() => people.close());

describe('the logins of the database', () => {
  const refused = async (login: string, sql: string): Promise<void> => {
    const database = new Database(people.auth.server.connection(login));
    await expect(database.ungrouped((tx) => tx.query(sql))).rejects.toThrow(/permission denied/);
    await database.close();
  };
  it.each([
    ['auth_app', `update auth.global_role set profile = 'SISTEMA'`],
    ['auth_app', `insert into auth.global_role_function (role_id, function_code) values (3, 'MANAGE_USERS')`],
    ['auth_app', `delete from auth.global_function`],
    [CATALOGUE_ROLE, `select * from auth.app_user`],
    [
      CATALOGUE_ROLE,
      `insert into auth.user_role (group_id, user_id, role_id) values (gen_random_uuid(), gen_random_uuid(), 2)`,
    ],
    [DIRECTORY_ROLE, `select * from auth.password`],
    [DIRECTORY_ROLE, `update auth.login_directory set state = 'ACTIVO'`],
  ])('permission is denied to the login %s: %s', refused);
  it('the service sees no directory row of another group', async () => {
    const seen = await people.auth.change(`select email from auth.login_directory where email like '%other.test'`);
    expect(seen).toEqual([]);
    expect(
      await people.auth.change(`select email from auth.login_directory where email = 'admin@example.test'`),
    ).toHaveLength(1);
  });
});

describe('the start of a user', () => {
  const change = (body: object) => people.as('admin', 'PUT', '/usuarios/starter@example.test', body);

  it("a start lies within the user's reach and is cleared with it", async () => {
    await people.as('admin', 'POST', '/usuarios', {
      codigo: 'starter@example.test',
      nombre: 'Starter',
      id_rol: 3,
      entidades: ['E1'],
    });
    await people.auth.change(
      `insert into auth.entity (group_id, code, name) select group_id, 'E2', 'Dos' from auth.tenant_group`,
    );
    await people.auth.change(
      `insert into auth.area (group_id, code, entity_code, name) select group_id, a.code, a.entity, a.code from auth.tenant_group, (values ('A1', 'E1'), ('A2', 'E2')) a(code, entity)`,
    );
    expect((await change({ entidad_predeterminada: 'E2' })).status).toBe(404);
    expect((await change({ entidad_predeterminada: 'E1', area_predeterminada: 'A2' })).status).toBe(404);
    expect((await change({ area_predeterminada: 'A1' })).status).toBe(422);
    expect((await change({ aplicacion_predeterminada: 'PHONE' })).status).toBe(404);
    expect(
      await change({ entidad_predeterminada: 'E1', area_predeterminada: 'A1', aplicacion_predeterminada: 'WEB' }),
    ).toMatchObject({
      status: 200,
      body: { entidad_predeterminada: 'E1', area_predeterminada: 'A1', aplicacion_predeterminada: 'WEB' },
    });
    await people.as('admin', 'DELETE', '/usuarios/starter@example.test/entidades/E1');
    expect((await people.as('admin', 'GET', '/usuarios/starter@example.test')).body).toMatchObject({
      entidad_predeterminada: null,
      area_predeterminada: null,
      aplicacion_predeterminada: 'WEB',
    });
  });
  it('a start area belongs to its start entity', async () => {
    const give = (codigo_entidad: string, codigo_area: string) =>
      people.as('admin', 'POST', '/usuarios/starter@example.test/entidades', { codigo_entidad, codigo_area });
    expect((await give('E1', 'A2')).status).toBe(404);
    expect(await give('E1', 'A1')).toMatchObject({ status: 201, body: { codigo_area: 'A1', nombre_area: 'A1' } });
    expect(await give('E1', 'A1')).toMatchObject({
      status: 409,
      body: { detalles: { motivo: 'ENTITY_HELD_ALREADY' } },
    });
  });
});
