import { publishedRelations } from '../../src/function-views/published-relations';
import { type Caller, People } from './support';

let people: People;
beforeAll(async () => {
  people = await People.open();
});
afterAll(() => people.close());

const ask = async (method: string, path: string, by: Caller = 'system'): Promise<Record<string, unknown>> => {
  const { status, body } = await people.as(by, method, path);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
/** A function as the list has it. */
const listed = async (code: string): Promise<Record<string, unknown>> => {
  const { items } = await ask('GET', '/funciones', 'admin');
  return (items as Record<string, unknown>[]).find(({ codigo }) => codigo === code) ?? {};
};
/** Changes functions as their owner, because the role of the services cannot. */
const change = (sql: string, params: unknown[] = []): Promise<Record<string, unknown>[]> =>
  people.auth.server.asOwner('auth', sql, params);
const plant = (code: string, tree: unknown): Promise<unknown> =>
  change(
    `insert into auth.global_function_view (function_code, tree) values ($1, $2::jsonb)
     on conflict (function_code) do update set tree = excluded.tree`,
    [code, JSON.stringify(tree)],
  );
const treeOf = async (code: string): Promise<unknown> =>
  (await change('select tree from auth.global_function_view where function_code = $1', [code]))[0]?.['tree'];

const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;

describe('the view of a function', () => {
  it('is null until it is generated, and dated when it is applied', async () => {
    expect(await listed('WORKSPACES')).toMatchObject({ vista: null });
    const generated = await ask('POST', '/funciones/WORKSPACES/generar-vista');
    expect(generated).toEqual({
      ...{ codigo: 'WORKSPACES', fecha_generacion: MOMENT, fecha_sincronizacion: null },
      sentencia: expect.stringMatching(
        /^SELECT[^;]*auth\.published_function_operation[^;]*'WORKSPACES'[^;]*$/,
      ) as string,
    });
    const applied = await ask('POST', '/funciones/WORKSPACES/sincronizar-vista');
    expect(applied).toEqual({
      ...generated,
      fecha_sincronizacion: MOMENT,
      columnas: ['codigo', 'nombre', 'operacion', 'roles'],
    });
    const { codigo: _codigo, columnas: _columnas, ...view } = applied;
    expect((await listed('WORKSPACES'))['vista']).toEqual(view);
  });

  it('is to be applied again once it is generated again', async () => {
    await ask('POST', '/funciones/DOCUMENTS/generar-vista');
    await ask('POST', '/funciones/DOCUMENTS/sincronizar-vista');
    expect(await ask('POST', '/funciones/DOCUMENTS/generar-vista')).toMatchObject({ fecha_sincronizacion: null });
  });

  it('answers CONFLICT where none was generated', async () => {
    const { status, body } = await people.as('system', 'POST', '/funciones/SESSION/sincronizar-vista');
    expect([status, body['detalles']]).toMatchObject([409, { motivo: 'VIEW_MISSING' }]);
  });

  it('answers CONFLICT where the stored tree reads a table', async () => {
    await ask('POST', '/funciones/API_KEYS/generar-vista');
    const text = JSON.stringify(await treeOf('API_KEYS'));
    await plant('API_KEYS', JSON.parse(text.replace('"published_function"', '"api_key"')));
    const { status, body } = await people.as('system', 'POST', '/funciones/API_KEYS/sincronizar-vista');
    expect([status, body['detalles']]).toMatchObject([409, { motivo: 'VIEW_REFUSED' }]);
    expect(await listed('API_KEYS')).toMatchObject({ vista: { fecha_sincronizacion: null } });
  });

  it('answers CONFLICT where its types do not fit', async () => {
    await ask('POST', '/funciones/API_KEYS/generar-vista');
    const text = JSON.stringify(await treeOf('API_KEYS'));
    await plant('API_KEYS', JSON.parse(text.replace('"string_agg"', '"length"')));
    expect((await people.as('system', 'POST', '/funciones/API_KEYS/sincronizar-vista')).status).toBe(409);
  });

  it('answers NOT_FOUND for a function that does not exist', async () => {
    for (const route of ['generar-vista', 'sincronizar-vista', 'forzar-analisis'])
      expect((await people.as('system', 'POST', `/funciones/NADA/${route}`)).status).toBe(404);
  });

  it('goes with its function', async () => {
    await people.as('system', 'POST', '/funciones', { codigo: 'PASSING', nombre: 'Pasajera' });
    await ask('POST', '/funciones/PASSING/generar-vista');
    await ask('DELETE', '/funciones/PASSING');
    expect(await treeOf('PASSING')).toBeUndefined();
  });
});

describe('the published relations', () => {
  const rows = (groupId: string | null, relation: string): Promise<Record<string, unknown>[]> => {
    const sql = `select * from auth.${relation}`;
    const { database } = people.auth;
    return groupId === null
      ? database.ungrouped((tx) => tx.query(sql))
      : database.read({ groupId }, (tx) => tx.query(sql));
  };

  it('have exactly the listed columns', async () => {
    const live = await change(
      `select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
       from information_schema.columns where table_schema = 'auth' and table_name like 'published%' group by 1`,
    );
    expect(Object.fromEntries(live.map(({ name, columns }) => [name, columns]))).toEqual(publishedRelations);
  });

  it('are empty without a group', async () => {
    for (const relation of Object.keys(publishedRelations))
      expect([relation, await rows(null, relation)]).toEqual([relation, []]);
  });

  it('show a group its own entities, roles and areas alone', async () => {
    const first = people.auth.group.groupId;
    await people.auth.change(
      `insert into auth.group_role (group_id, role_id, code, name, profile) values ($1, 10700, 'OWN_ROLE', 'Propio', 'USUARIO')`,
      [first],
    );
    await people.auth.change(
      `insert into auth.group_role_function (group_id, role_id, function_code) values ($1, 10700, 'DOCUMENTS')`,
      [first],
    );
    const entities = await people.auth.change('select code from auth.entity where group_id = $1', [first]);
    expect((await rows(first, 'published_entity')).map(({ code }) => code)).toEqual(entities.map(({ code }) => code));
    const roles = async (groupId: string): Promise<unknown[]> =>
      (await rows(groupId, 'published_function_role')).map(({ role_code: code }) => code);
    expect(await roles(first)).toContain('OWN_ROLE');
    expect(await roles(people.otherGroupId)).not.toContain('OWN_ROLE');
    expect(await roles(people.otherGroupId)).toContain('SEG_ADMIN_GRUPO');
  });

  it('show the edges of functions that a role of the group gives', async () => {
    await ask('POST', '/funciones/sincronizar-todas');
    await change(`insert into auth.global_function (code, name) values ('UNGIVEN', 'Sin rol')`);
    await change(`insert into auth.global_function_api values ('UNGIVEN', 'documents.get')`);
    const codes = (await rows(people.otherGroupId, 'published_function_operation')).map((row) => row['function_code']);
    expect(codes).toContain('DOCUMENTS');
    expect(codes).not.toContain('UNGIVEN');
  });
});
