import {
  addUserEntity,
  addUserRole,
  allCalls,
  allOperations,
  type Call,
  createRole,
  createUser,
  deleteUser,
  getUser,
  listGlobalRoles,
  listRoles,
  listUserEntities,
  listUserRoles,
  listUsers,
  pageUsers,
  previewEntityRemoval,
  previewUserDeletion,
  removeUserEntity,
  reorderUserRoles,
  updateUser,
} from '@acervo/contracts';
import { Organisation } from './support';

const USER = 'persona@example.test';
const named = { codigo: USER };

/** Calls about the group as a whole, with an input that an unrestricted key may send. */
const WHOLE: readonly (readonly [Call<object, object, 'user'>, Record<string, unknown>])[] = [
  [listUsers, {}],
  [pageUsers, { page: 1, limit: 10 }],
  [getUser, named],
  [listUserRoles, named],
  [listRoles, {}],
  [listGlobalRoles, {}],
  [previewUserDeletion, named],
  [updateUser, { ...named, nombre: 'Otra' }],
  [updateUser, { ...named, entidad_predeterminada: null }],
  [addUserRole, { ...named, id_rol: 1 }],
  [reorderUserRoles, { ...named, places: [{ codigo_rol: 'USUARIO', orden: 1 }] }],
  [createUser, { codigo: 'nueva@example.test', nombre: 'Nueva', id_rol: 3 }],
  [createRole, { codigo: 'ROL', nombre: 'Rol', tipo_acceso: 'ADMINISTRADOR', codigo_grupo: 'G1' }],
  [deleteUser, { codigo: 'nueva@example.test' }],
];

/** Operations of administrators that narrow themselves to the reach of the credential, by area of the product. */
const NARROWED =
  /^(areas|documents?|document_statuses|entities|feature_categories|groups|ingestion_runs|locations|parameter|pipeline_runs|queue)/;
const GLOBAL = new Set(['applications.list']);
const ENTITY_ASSIGNMENTS = ['users.add_entity', 'users.list_entities', 'users.remove_entity'];

describe('a key fixed to a part of the group', () => {
  let place: Organisation;
  let ofEntity: string;
  let ofArea: string;

  beforeAll(async () => {
    place = await Organisation.open();
    const { groupId } = place;
    await place.auth.change(`insert into auth.entity (group_id, code, name) values ($1, 'E2', 'Otra')`, [groupId]);
    await place.auth.change(
      `insert into auth.area (group_id, code, entity_code, parent_code, name) values ($1, 'A1', 'E1', null, 'A'),
         ($1, 'A11', 'E1', 'A1', 'Dentro'), ($1, 'A2', 'E1', null, 'Al lado'), ($1, 'B1', 'E2', null, 'B')`,
      [groupId],
    );
    await place.user(USER, 3, [['E2', null]]);
    ofEntity = await place.key({ entity: 'E1' });
    ofArea = await place.key({ entity: 'E1', area: 'A1' });
  });
  afterAll(() => place.auth.close());

  it.each(WHOLE.map(([call, input]) => ({ call, input, code: call.code })))(
    '$code is refused to it and open to an unrestricted key',
    async ({ call, input }) => {
      for (const key of [ofEntity, ofArea]) expect(await place.outcome(key, call, input)).toBe('FORBIDDEN');
      expect(await place.outcome(place.admin, call, input)).toMatchObject({});
    },
  );

  it('it sees, assigns and takes only its own entity', async () => {
    const entities = async (key: string) =>
      ((await place.ask(key, listUserEntities, named))['items'] as { codigo_entidad: string }[]).map(
        ({ codigo_entidad }) => codigo_entidad,
      );
    const give = (key: string, entity: string, area?: string) =>
      place.outcome(key, addUserEntity, {
        ...named,
        codigo_entidad: entity,
        ...(area === undefined ? {} : { codigo_area: area }),
      });
    const take = (key: string, entity: string) => place.outcome(key, removeUserEntity, { ...named, entidad: entity });
    expect(await entities(ofEntity)).toEqual([]);
    expect(await take(ofEntity, 'E2')).toBe('NOT_FOUND');
    expect(await place.outcome(ofEntity, previewEntityRemoval, { ...named, entidad: 'E2' })).toBe('NOT_FOUND');
    await place.ask(place.admin, removeUserEntity, { ...named, entidad: 'E2' });
    expect(await give(ofEntity, 'E2')).toBe('NOT_FOUND');
    expect(await give(ofEntity, 'E2', 'B1')).toBe('NOT_FOUND');
    expect(await give(ofArea, 'E1')).toBe('FORBIDDEN');
    expect(await give(ofArea, 'E1', 'A2')).toBe('NOT_FOUND');
    expect(await give(ofArea, 'E1', 'A11')).toMatchObject({ codigo_area: 'A11' });
    expect(await entities(ofEntity)).toEqual(['E1']);
    expect(await take(ofArea, 'E1')).toMatchObject({ eliminado: true });
    expect(await give(ofEntity, 'E1')).toMatchObject({ codigo_entidad: 'E1' });
    expect(await take(ofArea, 'E1')).toBe('FORBIDDEN');
  });

  it('its scope contains its own entity alone', async () => {
    await place.user('dos@example.test', 1, [
      ['E1', null],
      ['E2', null],
    ]);
    const scope = await place.scope(await place.key({ owner: 'dos@example.test', entity: 'E2' }));
    expect(scope).toMatchObject({ isFixed: true, entities: ['E2'], activeEntity: 'E2' });
  });

  it('every operation of administrators declares its reach or narrows itself', () => {
    const open = allOperations()
      .filter(({ profile, reach }) => profile === 'ADMINISTRADOR' && reach === 'part')
      .map(({ code }) => code)
      .filter((code) => !NARROWED.test(code) && !GLOBAL.has(code));
    expect(open).toEqual(ENTITY_ASSIGNMENTS);
    const people = allCalls().filter(({ code, reach }) => /^(users|roles|audit)\./.test(code) && reach === 'part');
    expect(
      people
        .filter(({ scope }) => scope === 'user')
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual([...ENTITY_ASSIGNMENTS, 'users.find_assignee', 'users.preview_remove_entity'].toSorted());
  });
});
