import {
  createArea,
  createEntity,
  deleteEntity,
  entityDependencies,
  getEntity,
  listEntities,
  reachesEntity,
  updateEntity,
  updateGroup,
} from '@acervo/contracts';
import { WorkScope } from '@acervo/rbac';
import { Organisation } from './support';

let place: Organisation;
let admin: string;
beforeAll(async () => {
  place = await Organisation.open();
  admin = place.admin;
});
afterAll(() => place.close());

const listed = async (bearer: string, input: Record<string, unknown> = {}): Promise<string[]> =>
  ((await place.ask(bearer, listEntities, input))['entities'] as { code: string }[]).map(({ code }) => code);

describe('the entities of a group', () => {
  it('an entity gets its given code or the next free number', async () => {
    expect(await place.ask(admin, createEntity, { name: 'Almazara' })).toEqual({
      code: 'E2',
      name: 'Almazara',
      has_areas: false,
    });
    expect(await place.ask(admin, createEntity, { name: 'Norte', code: 'NORTE' })).toMatchObject({ code: 'NORTE' });
    expect(await place.outcome(admin, createEntity, { name: 'Norte', code: 'NORTE' })).toBe('CONFLICT CODE_TAKEN');
    expect(await listed(admin)).toEqual(['E1', 'E2', 'NORTE']);
    expect(await listed(admin, { query: 'alma' })).toEqual(['E2']);
  });
  it('entities are read page by page', async () => {
    const { next_cursor: cursor } = await place.ask(admin, listEntities, { limit: 2 });
    expect(await listed(admin, { limit: 2, cursor })).toEqual(['NORTE']);
    expect(await place.outcome(admin, listEntities, { query: 'a', cursor })).toBe('INVALID_REQUEST');
  });
  it('a new entity has no readers', async () => {
    expect((await place.scope(admin)).entities).toEqual(['E1']);
  });
  it('a renamed entity keeps its code', async () => {
    expect(await place.ask(admin, updateEntity, { entity_code: 'NORTE', name: 'Del norte' })).toMatchObject({
      code: 'NORTE',
      name: 'Del norte',
    });
  });
});

describe('an entity as other services ask for it', () => {
  it('administrators and people of an entity reach it, others and absent ones do not', async () => {
    await place.user('lector@example.test', 3, [['E2', null]]);
    const reaches = async (code: string, entityCode: string | null): Promise<boolean> => {
      const scope = new WorkScope(place.groupId, 'operations', 'test');
      return (await place.auth.callsOf('operations').send(reachesEntity, scope, { code, entityCode })).reaches;
    };
    expect(await reaches('lector@example.test', 'E2')).toBe(true);
    expect(await reaches('lector@example.test', 'NORTE')).toBe(false);
    expect(await reaches('lector@example.test', null)).toBe(true);
    expect(await reaches((await place.scope(admin)).userCode, 'NORTE')).toBe(true);
    expect(await reaches('nadie@example.test', 'NORTE')).toBe(false);
  });
  it('only entities that the caller administers are found', async () => {
    const ask = (bearer: string, entity_code: string) => place.ask(bearer, getEntity, { entity_code }, 'ingestion');
    expect(await ask(admin, 'NORTE')).toMatchObject({ code: 'NORTE' });
    await expect(ask(admin, 'NADA')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const fixed = await place.key({ entity: 'E1' });
    expect(await ask(fixed, 'E1')).toMatchObject({ code: 'E1' });
    await expect(ask(fixed, 'NORTE')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('deleting an entity', () => {
  it('an entity with dependents is not deleted; the preview counts them', async () => {
    await place.user('norte@example.test', 3, [['NORTE', null]]);
    await place.key({ owner: 'norte@example.test', entity: 'NORTE' });
    await place.ask(admin, createArea, { entity_code: 'NORTE', name: 'Área' });
    for (const [code, documents] of [
      ['L1', 3],
      ['L2', 4],
    ] as const)
      place.folders.folders.set(code, { name: code, entityCode: 'NORTE', documents });
    place.folders.documentTypes.set('NORTE', 3);
    place.auth.ownedSpaces.ofEntities.set('NORTE', 2);
    const counts = { areas: 1, users: 1, keys: 1, locations: 2, documents: 7, document_types: 3, spaces: 2, total: 17 };
    expect(await place.ask(admin, entityDependencies, { entity_code: 'NORTE' })).toEqual({
      entity_code: 'NORTE',
      ...counts,
    });
    await expect(place.ask(admin, deleteEntity, { entity_code: 'NORTE' })).rejects.toMatchObject({
      details: { reason: 'HAS_DEPENDENTS', ...counts },
    });
    expect(await listed(admin)).toContain('NORTE');
  });
  it.each([
    ['a folder', `update auth.entity set name = name`, { locations: 1, documents: 0 }],
    ['a document type', `update auth.entity set name = name`, { document_types: 1 }],
    ['a space', `update auth.entity set name = name`, { spaces: 1 }],
    [
      'a user',
      `insert into auth.user_entity (group_id, user_id, entity_code) select group_id, user_id, 'SOLA' from auth.app_user where email = 'norte@example.test'`,
      { users: 1 },
    ],
    [
      'an area',
      `insert into auth.area (group_id, code, entity_code, name) select group_id, 'SOLA', 'SOLA', 'x' from auth.tenant_group`,
      { areas: 1 },
    ],
  ])('%s alone prevents the deletion of an entity', async (what, sql, counts) => {
    await place.ask(admin, createEntity, { name: 'Sola', code: 'SOLA' });
    await place.auth.change(sql);
    if (what === 'a folder') place.folders.folders.set('L7', { name: 'x', entityCode: 'SOLA', documents: 0 });
    if (what === 'a document type') place.folders.documentTypes.set('SOLA', 1);
    if (what === 'a space') place.auth.ownedSpaces.ofEntities.set('SOLA', 1);
    await expect(place.ask(admin, deleteEntity, { entity_code: 'SOLA' })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'HAS_DEPENDENTS', total: 1, ...counts },
    });
    place.folders.folders.delete('L7');
    place.folders.documentTypes.delete('SOLA');
    place.auth.ownedSpaces.ofEntities.delete('SOLA');
    await place.auth.change(`delete from auth.user_entity where entity_code = 'SOLA'`);
    await place.auth.change(`delete from auth.area where entity_code = 'SOLA'`);
    expect(await place.ask(admin, deleteEntity, { entity_code: 'SOLA' })).toEqual({
      entity_code: 'SOLA',
      deleted: true,
    });
  });
  it('deleting an entity clears the starts in it', async () => {
    await place.ask(admin, createEntity, { name: 'Breve', code: 'BREVE' });
    await place.auth.change(`update auth.app_user set default_entity = 'BREVE' where email = 'norte@example.test'`);
    expect(await place.ask(admin, deleteEntity, { entity_code: 'BREVE' })).toMatchObject({ deleted: true });
    expect(
      await place.auth.change(`select default_entity from auth.app_user where email = 'norte@example.test'`),
    ).toEqual([{ default_entity: null }]);
    expect(await place.outcome(admin, deleteEntity, { entity_code: 'BREVE' })).toBe('NOT_FOUND');
    expect((await place.audited(deleteEntity)).slice(-2)).toEqual(['SUCCEEDED', 'REFUSED NOT_FOUND']);
  });
  it('concurrent deletions never remove the last entity of a group', async () => {
    const other = await place.otherGroup();
    await place.ask(other.admin, createEntity, { name: 'Dos', code: 'E2' });
    const outcomes = await Promise.all(
      ['E1', 'E2'].map((entity_code) => place.outcome(other.admin, deleteEntity, { entity_code })),
    );
    expect(outcomes).toContain('CONFLICT LAST_ENTITY');
    expect(await listed(other.admin)).toHaveLength(1);
  });
});

describe('the group as a whole', () => {
  it('administrators change what belongs to the whole group', async () => {
    expect(await place.ask(admin, updateGroup, { name: 'Cooperativa' })).toEqual({ code: 'G1', name: 'Cooperativa' });
  });
  it('a key fixed to an entity changes only that entity', async () => {
    const key = await place.key({ entity: 'E1' });
    expect(await listed(key)).toEqual(['E1']);
    expect(await place.ask(key, updateEntity, { entity_code: 'E1', name: 'La primera' })).toMatchObject({
      name: 'La primera',
    });
    expect(await place.outcome(key, updateGroup, { name: 'x' })).toBe('FORBIDDEN');
    expect(await place.outcome(key, createEntity, { name: 'x' })).toBe('FORBIDDEN');
    expect(await place.outcome(key, deleteEntity, { entity_code: 'E1' })).toBe('FORBIDDEN');
    for (const entity_code of ['E2', 'NADA'])
      for (const [call, input] of [
        [updateEntity, { name: 'x' }],
        [deleteEntity, {}],
        [entityDependencies, {}],
      ] as const)
        expect(await place.outcome(key, call, { entity_code, ...input })).toBe('NOT_FOUND');
  });
  it('entities of another group answer as missing', async () => {
    const other = await place.key();
    await place.auth.database.write({ groupId: '00000000-0000-7000-8000-0000000000aa' }, async (tx) => {
      await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, 'G3', 'Tres')`, [tx.groupId]);
      await tx.query(`insert into auth.entity (group_id, code, name) values ($1, 'AJENA', 'Ajena')`, [tx.groupId]);
    });
    expect(await place.outcome(other, updateEntity, { entity_code: 'AJENA', name: 'x' })).toBe('NOT_FOUND');
    expect(await place.outcome(other, deleteEntity, { entity_code: 'AJENA' })).toBe('NOT_FOUND');
    expect(await place.outcome(other, entityDependencies, { entity_code: 'AJENA' })).toBe('NOT_FOUND');
    expect(await listed(other)).not.toContain('AJENA');
  });
});
