import { getOrganization, getPrompts, NotFound, updateOrganization } from '@acervo/contracts';
import { WorkScope } from '@acervo/rbac';
import { Organisation } from './support';

let place: Organisation;
let admin: string;
beforeAll(async () => {
  place = await Organisation.open('gateway');
  admin = place.admin;
  await place.auth.change(
    `insert into auth.entity (group_id, code, name) select group_id, 'E2', 'Dos' from auth.tenant_group`,
  );
  await place.auth.change(
    `insert into auth.area (group_id, code, entity_code, name) select group_id, 'A1', 'E1', 'Una' from auth.tenant_group`,
  );
});
afterAll(() => place.close());

let other: ReturnType<Organisation['otherGroup']> | undefined;
/** Another group, the same one in each test. */
const otherGroup = (): ReturnType<Organisation['otherGroup']> => (other ??= place.otherGroup());

const get = (bearer: string, input: Record<string, unknown> = {}) => place.outcome(bearer, getOrganization, input);
const put = (bearer: string, input: Record<string, unknown>) => place.outcome(bearer, updateOrganization, input);

describe('the profile of the organisation', () => {
  it('the profile lists the texts that are missing', async () => {
    expect(await get(admin)).toEqual({
      group: { code: 'G1', name: 'Grupo', description: '', system_prompt: '' },
      entity: { code: 'E1', name: 'Grupo', description: '', system_prompt: '' },
      missing: ['group.description', 'group.system_prompt', 'entity.description', 'entity.system_prompt'],
    });
  });
  it('an update writes exactly the given texts', async () => {
    expect(await put(admin, { group_description: 'Una cooperativa.', entity_system_prompt: 'Sé breve.' })).toEqual({
      group: { code: 'G1', name: 'Grupo', description: 'Una cooperativa.', system_prompt: '' },
      entity: { code: 'E1', name: 'Grupo', description: '', system_prompt: 'Sé breve.' },
      missing: ['group.system_prompt', 'entity.description'],
      applied: ['group.description', 'entity.system_prompt'],
    });
    expect(await put(admin, { entity_description: 'La almazara.' })).toMatchObject({
      group: { description: 'Una cooperativa.' },
      entity: { description: 'La almazara.', system_prompt: 'Sé breve.' },
      applied: ['entity.description'],
    });
    expect(await get(admin)).toMatchObject({ missing: ['group.system_prompt'] });
  });
  it('an empty text clears its field; a blank one counts as missing', async () => {
    expect(await put(admin, { group_description: '', entity_description: ' \n' })).toMatchObject({
      group: { description: '' },
      missing: ['group.description', 'group.system_prompt', 'entity.description'],
      applied: ['group.description', 'entity.description'],
    });
  });
  it.each([[{}], [{ entity_code: 'E1' }]])('the update %j is refused and writes nothing', async (input) => {
    expect(await put(admin, input)).toBe('INVALID_REQUEST');
  });
  it('every write and every refusal leaves a record', async () => {
    const before = (await place.audited(updateOrganization)).length;
    await put(admin, { group_description: 'Otra.' });
    await put(admin, { entity_description: 'x', entity_code: 'NADA' });
    expect((await place.audited(updateOrganization)).slice(before)).toEqual(['SUCCEEDED', 'REFUSED NOT_FOUND']);
  });
});

describe('the system prompts of a profile', () => {
  it('only administrators see prompts, and that they are missing', async () => {
    await place.user('lectora@example.test', 3, [['E1', null]]);
    const key = await place.key({ owner: 'lectora@example.test' });
    await put(admin, { group_system_prompt: 'Secreto.', group_description: '', entity_description: '' });
    expect(await get(admin)).toMatchObject({ group: { system_prompt: 'Secreto.' } });
    expect(await get(key)).toMatchObject({
      group: { code: 'G1', system_prompt: null },
      entity: { code: 'E1', system_prompt: null },
      missing: ['group.description', 'entity.description'],
    });
    await put(admin, { group_system_prompt: '' });
  });
});

describe('the entity of a profile', () => {
  it('the entity is the only one, the focus, or the named one', async () => {
    await place.user('dos@example.test', 1, [
      ['E1', null],
      ['E2', null],
    ]);
    const key = await place.key({ owner: 'dos@example.test' });
    expect(await get(key)).toMatchObject({ group: { code: 'G1' }, entity: null });
    expect(await get(key, { entity_code: 'E2' })).toMatchObject({ entity: { code: 'E2', name: 'Dos' } });
    expect(await put(key, { entity_description: 'x' })).toBe('INVALID_CONTEXT');
    expect(await put(key, { group_description: 'Una.' })).toMatchObject({
      entity: null,
      applied: ['group.description'],
      missing: ['group.system_prompt'],
    });
    const fixed = await place.key({ owner: 'dos@example.test', entity: 'E2' });
    expect(await get(fixed)).toMatchObject({ entity: { code: 'E2' } });
    expect(await get(fixed, { entity_code: 'E1' })).toBe('NOT_FOUND');
  });
  it('an own entity beside the focus is shown and written where named', async () => {
    await place.user('enfocada@example.test', 1, [
      ['E1', null],
      ['E2', null],
    ]);
    const key = await place.key({ owner: 'enfocada@example.test' });
    await place.auth.change(
      `update auth.api_key set active_entity = 'E1' where user_id = (select user_id from auth.app_user where email = $1)`,
      ['enfocada@example.test'],
    );
    expect(await get(key)).toMatchObject({ entity: { code: 'E1' } });
    expect(await get(key, { entity_code: 'E2' })).toMatchObject({ entity: { code: 'E2' } });
    expect(await put(key, { entity_code: 'E2', entity_description: 'Otra.' })).toMatchObject({
      entity: { code: 'E2', description: 'Otra.' },
    });
    expect(await get(key)).toMatchObject({ entity: { code: 'E1' } });
  });
  it.each(['E2', 'NADA'])('%s is NOT_FOUND for users without it', async (entity_code) => {
    expect(await get(admin, { entity_code })).toBe('NOT_FOUND');
    expect(await put(admin, { entity_code, entity_description: 'x' })).toBe('NOT_FOUND');
    expect(await put(admin, { entity_code, group_description: 'x' })).toBe('NOT_FOUND');
  });
  it('an entity of another group is NOT_FOUND', async () => {
    const other = await otherGroup();
    await place.auth.database.write(other, async (tx) => {
      await tx.query(`insert into auth.entity (group_id, code, name) values ($1, 'AJENA', 'x')`, [tx.groupId]);
    });
    expect(await get(admin, { entity_code: 'AJENA' })).toBe('NOT_FOUND');
    expect(await put(admin, { entity_code: 'AJENA', entity_description: 'x' })).toBe('NOT_FOUND');
  });
});

describe('the prompts for models', () => {
  const read = (groupId: string, entityCode?: string) =>
    place.auth
      .callsOf('chat')
      .send(getPrompts, new WorkScope(groupId, 'chat', 'test'), entityCode === undefined ? {} : { entityCode });

  it('a service reads the prompts of its group and of one entity', async () => {
    await put(admin, { group_system_prompt: 'Trata de usted.', entity_system_prompt: 'Sé breve.' });
    const group = { code: 'G1', name: 'Grupo', systemPrompt: 'Trata de usted.' };
    expect(await read(place.groupId)).toEqual({ group, entity: null });
    expect(await read(place.groupId, 'E1')).toEqual({
      group,
      entity: { code: 'E1', name: 'Grupo', systemPrompt: 'Sé breve.' },
    });
    await put(admin, { group_system_prompt: '', entity_system_prompt: '' });
  });
  it('an entity of another group has no prompt', async () => {
    const other = await otherGroup();
    await place.auth.database.write(other, async (tx) => {
      await tx.query(`insert into auth.entity (group_id, code, name) values ($1, 'DE_OTRO', 'x')`, [tx.groupId]);
    });
    for (const code of ['DE_OTRO', 'NADA']) await expect(read(place.groupId, code)).rejects.toThrow(NotFound);
  });
});

describe('writers of a profile', () => {
  it('texts of the group take an administrator with an unrestricted key', async () => {
    const fixed = await place.key({ entity: 'E1' });
    expect(await put(fixed, { group_system_prompt: 'x' })).toBe('FORBIDDEN');
    expect(await put(fixed, { group_system_prompt: 'x', entity_description: 'y' })).toBe('FORBIDDEN');
    expect(await get(admin)).toMatchObject({ group: { system_prompt: '' } });
    expect(await put(fixed, { entity_description: 'Escrito por una clave fija.' })).toMatchObject({
      applied: ['entity.description'],
    });
  });
  it('texts of an entity take a credential that reaches all of it', async () => {
    const area = await place.key({ entity: 'E1', area: 'A1' });
    expect(await put(area, { entity_description: 'x' })).toBe('FORBIDDEN');
    expect(await get(area)).toMatchObject({ entity: { code: 'E1' } });
  });
});
