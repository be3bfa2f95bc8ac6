import { type AreaList, createArea, listVisibleAreas } from '@acervo/contracts';
import { Organisation } from './support';

let place: Organisation;
beforeAll(async () => {
  place = await Organisation.open();
  await place.auth.change(`insert into auth.entity (group_id, code, name) values ($1, 'E2', 'Otra')`, [place.groupId]);
  for (const [code, parent_code, entity_code] of [
    ['A', undefined, 'E1'],
    ['AA', 'A', 'E1'],
    ['AAA', 'AA', 'E1'],
    ['AB', 'A', 'E1'],
    ['B', undefined, 'E1'],
    ['X', undefined, 'E2'],
  ] as const)
    await place.ask(place.admin, createArea, {
      code,
      name: `Área ${code}`,
      entity_code,
      ...(parent_code && { parent_code }),
    });
  await place.user('parte@example.test', 1, [['E1', 'AA']]);
  await place.user('ambas@example.test', 1, [
    ['E1', null],
    ['E2', null],
  ]);
});
afterAll(() => place.close());

const list = async (bearer: string, input = {}): Promise<AreaList> =>
  place.auth.callsOf('gateway').send(listVisibleAreas, await place.scope(bearer), { limit: 50, ...input });
const codes = async (bearer: string, input = {}): Promise<string[]> =>
  (await list(bearer, input)).areas.map(({ code }) => code);
const focus = (owner: string, entity: string | null, area: string | null) =>
  place.auth.change(
    `update auth.api_key set active_entity = $2, active_area = $3
     where user_id = (select user_id from auth.app_user where email = $1)`,
    [owner, entity, area],
  );

describe('the areas under which a caller sees documents', () => {
  it('the entity is the named one, the focus, or the only one', async () => {
    const key = await place.key({ owner: 'ambas@example.test' });
    await expect(list(key)).rejects.toMatchObject({ code: 'INVALID_CONTEXT' });
    expect(await codes(key, { entityCode: 'E2' })).toEqual(['X']);
    await focus('ambas@example.test', 'E1', null);
    expect(await codes(key)).toEqual(['A', 'AA', 'AAA', 'AB', 'B']);
    expect(await codes(key, { entityCode: 'E2' })).toEqual(['X']);
    await expect(list(key, { entityCode: 'E9' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await focus('ambas@example.test', 'E1', 'AB');
    expect(await codes(key)).toEqual(['AB']);
    await focus('ambas@example.test', 'E1', 'X');
    await expect(list(key)).rejects.toMatchObject({ code: 'CONTEXT_CONFLICT' });
  });

  it('a request beside the focus begins at the own area there', async () => {
    await place.user('partes@example.test', 1, [
      ['E1', 'AA'],
      ['E2', 'X'],
    ]);
    const key = await place.key({ owner: 'partes@example.test' });
    await expect(list(key)).rejects.toMatchObject({ code: 'INVALID_CONTEXT' });
    expect(await codes(key, { entityCode: 'E1' })).toEqual(['AA', 'AAA']);
    await focus('partes@example.test', 'E2', null);
    expect([await codes(key), await codes(key, { entityCode: 'E1' })]).toEqual([['X'], ['AA', 'AAA']]);
    const fixed = await place.key({ owner: 'partes@example.test', entity: 'E2' });
    await expect(list(fixed, { entityCode: 'E1' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it("the tree begins at the caller's area, without its parent", async () => {
    const key = await place.key({ owner: 'parte@example.test' });
    expect((await list(key)).areas).toEqual([
      expect.objectContaining({ code: 'AA', parentCode: null, hasChildren: true }),
      expect.objectContaining({ code: 'AAA', parentCode: 'AA', hasChildren: false }),
    ]);
    expect(await codes(key, { parentCode: 'AA' })).toEqual(['AAA']);
    const absent = await list(key, { parentCode: 'NINGUNA' }).catch((error: unknown) => error);
    expect(absent).toMatchObject({ code: 'NOT_FOUND' });
    for (const hidden of ['A', 'AB', 'X']) await expect(list(key, { parentCode: hidden })).rejects.toEqual(absent);
    await focus('parte@example.test', 'E1', 'AAA');
    expect((await list(key)).areas).toEqual([expect.objectContaining({ code: 'AAA', parentCode: null })]);
  });

  it('every page follows the scope of its request', async () => {
    const key = await place.key({ owner: 'ambas@example.test' });
    await focus('ambas@example.test', 'E1', null);
    const { nextCursor: cursor } = await list(key, { limit: 1 });
    expect(await codes(key, { cursor })).toEqual(['AA', 'AAA', 'AB', 'B']);
    await focus('ambas@example.test', 'E1', 'AB');
    expect(await codes(key, { cursor })).toEqual(['AB']);
    const stranger = await place.key({ owner: 'parte@example.test' });
    await expect(list(stranger, { cursor })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});
