import { randomUUID } from 'node:crypto';
import {
  addAreaLocation,
  areaDependencies,
  countAreaLinks,
  createArea,
  deleteArea,
  listAreaLocations,
  listAreas,
  previewAreaLocationRemoval,
  removeAreaLocation,
  updateArea,
} from '@acervo/contracts';
import { WorkScope } from '@acervo/rbac';
import { AreaLocationStore } from '../../src/organisation/area-location.store';
import { DEEPEST } from '../../src/organisation/area.store';
import { DeletedFoldersConsumer } from '../../src/organisation/deleted-folders.consumer';
import { Organisation } from './support';

type Areas = {
  areas: { code: string; parent_code: string | null; has_children: boolean }[];
  next_cursor: string | null;
};

let place: Organisation;
let admin: string;
beforeAll(async () => {
  place = await Organisation.open();
  admin = place.admin;
});
afterAll(() => place.close());

const make = (code: string, parent_code?: string, entity_code = 'E1') =>
  place.outcome(admin, createArea, {
    code,
    name: `Área ${code}`,
    entity_code,
    ...(parent_code ? { parent_code } : {}),
  });
const codes = async (bearer: string, input: Record<string, unknown> = {}): Promise<string[]> =>
  ((await place.ask(bearer, listAreas, { limit: 200, ...input })) as Areas).areas.map(({ code }) => code);
const addEntity = (code: string) =>
  place.auth.change(`insert into auth.entity (group_id, code, name) select group_id, $1, $1 from auth.tenant_group`, [
    code,
  ]);

describe('the tree of areas', () => {
  beforeAll(async () => {
    await addEntity('E2');
    for (const [code, parent, entity] of [
      ['VENTAS', undefined, 'E1'],
      ['NORTE', 'VENTAS', 'E1'],
      ['COSTA', 'NORTE', 'E1'],
      ['OBRAS', undefined, 'E1'],
      ['OTRA', undefined, 'E2'],
    ] as const)
      await make(code, parent, entity);
  });

  it('areas are listed by code with the counts below each', async () => {
    expect(await place.ask(admin, listAreas, { entity_code: 'E1' })).toEqual({
      areas: [
        { code: 'COSTA', name: 'Área COSTA', parent_code: 'NORTE', entity_code: 'E1', has_children: false },
        { code: 'NORTE', name: 'Área NORTE', parent_code: 'VENTAS', entity_code: 'E1', has_children: true },
        { code: 'OBRAS', name: 'Área OBRAS', parent_code: null, entity_code: 'E1', has_children: false },
        { code: 'VENTAS', name: 'Área VENTAS', parent_code: null, entity_code: 'E1', has_children: true },
      ],
      next_cursor: null,
    });
    expect(await codes(admin, { entity_code: 'E2' })).toEqual(['OTRA']);
    expect(await codes(admin, { entity_code: 'E1', parent_code: 'VENTAS' })).toEqual(['NORTE']);
    expect(await codes(admin, { entity_code: 'E1', query: 'área n' })).toEqual(['NORTE']);
  });

  it('pages of areas contain each area once', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = (await place.ask(admin, listAreas, {
        entity_code: 'E1',
        limit: 1,
        ...(cursor === null ? {} : { cursor }),
      })) as Areas;
      seen.push(...page.areas.map(({ code }) => code));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(['COSTA', 'NORTE', 'OBRAS', 'VENTAS']);
  });

  it('a cursor is valid only for the list that issued it', async () => {
    const { next_cursor: cursor } = await place.ask(admin, listAreas, { entity_code: 'E1', limit: 1 });
    const text = String(cursor);
    const forged = text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A');
    for (const input of [
      { entity_code: 'E2', cursor },
      { entity_code: 'E1', query: 'a', cursor },
      { entity_code: 'E1', cursor: forged },
      { entity_code: 'E1', cursor: `${text}=` },
      { entity_code: 'E1', cursor: 'x' },
    ])
      expect(await place.outcome(admin, listAreas, input)).toBe('INVALID_REQUEST');
    expect(await place.outcome(await place.key(), listAreas, { entity_code: 'E1', cursor })).toBe('INVALID_REQUEST');
  });

  it.each([
    ['an entity that does not exist', { entity_code: 'E9' }],
    ['a parent that does not exist', { entity_code: 'E1', parent_code: 'NADA' }],
    ['a parent of another entity', { entity_code: 'E1', parent_code: 'OTRA' }],
  ])('areas of %s answer NOT_FOUND', async (_what, input) => {
    expect(await place.outcome(admin, listAreas, input)).toBe('NOT_FOUND');
  });

  it('an area without a code gets the next free number', async () => {
    expect(await make('A1')).toMatchObject({ code: 'A1' });
    expect(await place.ask(admin, createArea, { entity_code: 'E1', name: 'Sin código' })).toMatchObject({ code: 'A2' });
    expect(await make('A1')).toBe('CONFLICT CODE_TAKEN');
    expect(await make('OTRA')).toBe('CONFLICT CODE_TAKEN');
    for (const code of ['A1', 'A2']) await place.ask(admin, deleteArea, { area_code: code });
    expect(await place.ask(admin, createArea, { entity_code: 'E1', name: 'Nueva' })).toMatchObject({ code: 'A3' });
    await place.ask(admin, deleteArea, { area_code: 'A3' });
  });

  it('a parent from another entity is refused', async () => {
    expect(await make('MAL', 'OTRA')).toBe('NOT_FOUND');
    expect(await place.outcome(admin, updateArea, { area_code: 'OBRAS', parent_code: 'OTRA' })).toBe('NOT_FOUND');
  });

  it('a move below itself is refused', async () => {
    for (const parent_code of ['VENTAS', 'NORTE', 'COSTA'])
      expect(await place.outcome(admin, updateArea, { area_code: 'VENTAS', parent_code })).toBe(
        'CONFLICT PARENT_BELOW',
      );
  });

  it('concurrent moves never make a circle', async () => {
    await make('X1');
    await make('X2');
    for (let round = 0; round < 5; round += 1) {
      const moves = [
        place.outcome(admin, updateArea, { area_code: 'X1', parent_code: 'X2' }),
        place.outcome(admin, updateArea, { area_code: 'X2', parent_code: 'X1' }),
      ];
      const refused = (await Promise.all(moves)).filter((outcome) => outcome === 'CONFLICT PARENT_BELOW');
      expect(refused).toHaveLength(1);
      for (const area_code of ['X1', 'X2']) await place.ask(admin, updateArea, { area_code, parent_code: null });
    }
  });

  it(`a tree has at most ${DEEPEST} levels, for new and moved areas`, async () => {
    for (let level = 1; level <= DEEPEST; level += 1)
      await make(`N${level}`, level === 1 ? undefined : `N${level - 1}`);
    expect(await make('N99', `N${DEEPEST}`)).toBe('CONFLICT TOO_DEEP');
    expect(await place.outcome(admin, updateArea, { area_code: 'VENTAS', parent_code: `N${DEEPEST - 2}` })).toBe(
      'CONFLICT TOO_DEEP',
    );
    expect(
      await place.outcome(admin, updateArea, { area_code: 'VENTAS', parent_code: `N${DEEPEST - 3}` }),
    ).toMatchObject({
      code: 'VENTAS',
      parent_code: `N${DEEPEST - 3}`,
    });
    await place.ask(admin, updateArea, { area_code: 'VENTAS', parent_code: null });
  });

  it('an area is renamed and moved independently', async () => {
    expect(await place.ask(admin, updateArea, { area_code: 'COSTA', name: 'Costa' })).toMatchObject({
      name: 'Costa',
      parent_code: 'NORTE',
    });
    expect(await place.ask(admin, updateArea, { area_code: 'COSTA', parent_code: null })).toMatchObject({
      name: 'Costa',
      parent_code: null,
    });
    expect(await place.outcome(admin, updateArea, { area_code: 'COSTA' })).toBe('INVALID_REQUEST');
    await place.ask(admin, updateArea, { area_code: 'COSTA', parent_code: 'NORTE' });
  });
});

describe('the folders of an area', () => {
  beforeAll(() => {
    place.folders.folders.set('L1', { name: 'ventas', entityCode: 'E1', documents: 7 });
    place.folders.folders.set('L2', { name: 'otra', entityCode: 'E2', documents: 5 });
  });

  it('folders are linked by code, once, and listed by name', async () => {
    const link = { area_code: 'NORTE', location_code: 'L1' };
    for (let time = 0; time < 2; time += 1)
      expect(await place.ask(admin, addAreaLocation, link)).toEqual({ location_code: 'L1', name: 'ventas' });
    expect(await place.ask(admin, listAreaLocations, { area_code: 'NORTE' })).toEqual({
      locations: [{ location_code: 'L1', name: 'ventas' }],
      next_cursor: null,
    });
  });
  it.each([
    ['a folder that does not exist', { area_code: 'NORTE', location_code: 'L9' }],
    ['a folder of another entity', { area_code: 'NORTE', location_code: 'L2' }],
    ['an area that does not exist', { area_code: 'NADA', location_code: 'L1' }],
  ])('an area is not linked to %s', async (_what, link) => {
    expect(await place.outcome(admin, addAreaLocation, link)).toBe('NOT_FOUND');
    expect(await place.outcome(admin, removeAreaLocation, link)).toBe('NOT_FOUND');
    expect(await place.outcome(admin, previewAreaLocationRemoval, link)).toBe('NOT_FOUND');
  });
  it('the preview of an unlink counts its users, keys and documents', async () => {
    const link = { area_code: 'NORTE', location_code: 'L1' };
    const before = await place.ask(admin, listAreaLocations, { area_code: 'NORTE' });
    expect(await place.ask(admin, previewAreaLocationRemoval, link)).toEqual({
      ...{ ...link, users: 0, keys: 0, locations: 1, documents: 7 },
    });
    expect(await place.ask(admin, listAreaLocations, { area_code: 'NORTE' })).toEqual(before);
  });
  it('areas linked to folders are counted for any owner', async () => {
    const counted = (location_codes: string[]) => place.ask(admin, countAreaLinks, { location_codes }, 'ingestion');
    expect([await counted(['L1', 'L2']), await counted(['L2'])]).toEqual([{ areas: 1 }, { areas: 0 }]);
  });
  it('a deleted folder stays listed without a name and is removable', async () => {
    place.folders.folders.set('L3', { name: 'obra', entityCode: 'E1', documents: 0 });
    await place.ask(admin, addAreaLocation, { area_code: 'OBRAS', location_code: 'L3' });
    place.folders.folders.delete('L3');
    expect((await place.ask(admin, listAreaLocations, { area_code: 'OBRAS' }))['locations']).toEqual([
      { location_code: 'L3', name: null },
    ]);
    expect(await place.ask(admin, removeAreaLocation, { area_code: 'OBRAS', location_code: 'L3' })).toMatchObject({
      removed: true,
    });
  });
});

describe('the folders of an area that are deleted with their root', () => {
  it('a deleted root unlinks its folders in its own group only', async () => {
    const other = randomUUID();
    await place.auth.database.write({ groupId: other }, async (tx) => {
      await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, 'G3', 'Tercero')`, [other]);
      await tx.query(`insert into auth.entity (group_id, code, name) values ($1, 'E1', 'Otra')`, [other]);
    });
    const groups = [place.groupId, other];
    for (const groupId of groups)
      await place.auth.database.write({ groupId }, async (tx) => {
        await tx.query(`insert into auth.area values ($1, 'TALLER', 'E1', null, 'x'), ($1, 'NAVE', 'E1', null, 'x')`, [
          groupId,
        ]);
        await tx.query(
          `insert into auth.area_location values ($1, 'TALLER', 'L70'), ($1, 'TALLER', 'L72'), ($1, 'NAVE', 'L71')`,
          [groupId],
        );
      });
    const consumer = new DeletedFoldersConsumer(new AreaLocationStore());
    await place.auth.database.write(place, (tx) =>
      consumer.unlink(new WorkScope(place.groupId, 'auth', 'test'), tx, { rootCode: 'L70', codes: ['L70', 'L71'] }),
    );
    const left = await Promise.all(
      groups.map((groupId) =>
        place.auth.database.read({ groupId }, (tx) =>
          tx.query(
            `select location_code from auth.area_location where group_id = $1 and location_code like 'L7_' order by 1`,
            [groupId],
          ),
        ),
      ),
    );
    expect(left.map((rows) => rows.map((row) => row['location_code']))).toEqual([['L72'], ['L70', 'L71', 'L72']]);
  });
});

describe('deleting an area', () => {
  it('an area with dependents is not deleted; the preview counts them', async () => {
    await place.user('norte@example.test', 3, [['E1', 'NORTE']]);
    await place.key({ entity: 'E1', area: 'NORTE' });
    const counts = { areas: 1, users: 1, keys: 1, locations: 1, documents: 7, total: 11 };
    expect(await place.ask(admin, areaDependencies, { area_code: 'NORTE' })).toEqual({ area_code: 'NORTE', ...counts });
    await expect(place.ask(admin, deleteArea, { area_code: 'NORTE' })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'HAS_DEPENDENTS', ...counts },
    });
  });
  it('deleting an area makes its foci stale and clears its starts', async () => {
    await make('CORTA');
    const focused = await place.key();
    await place.auth.change(
      `update auth.app_user set default_entity = 'E1', default_area = 'CORTA' where email = 'norte@example.test'`,
    );
    await place.auth.change(
      `update auth.api_key set active_entity = 'E1', active_area = 'CORTA' where key_id = (select max(key_id) from auth.api_key where created_at = (select max(created_at) from auth.api_key))`,
    );
    expect(await place.scope(focused)).toMatchObject({ effectiveArea: 'CORTA' });
    expect(await place.ask(admin, deleteArea, { area_code: 'CORTA' })).toEqual({ area_code: 'CORTA', deleted: true });
    expect(await place.scope(focused)).toMatchObject({ focusIsStale: true, locationRoots: [] });
    expect(
      await place.auth.change(
        `select default_entity, default_area from auth.app_user where email = 'norte@example.test'`,
      ),
    ).toEqual([{ default_entity: 'E1', default_area: null }]);
    expect(await place.outcome(admin, deleteArea, { area_code: 'CORTA' })).toBe('NOT_FOUND');
  });
  it('every request to delete an area leaves one record', async () => {
    const before = (await place.audited(deleteArea)).length;
    await make('BREVE');
    await place.outcome(admin, deleteArea, { area_code: 'BREVE' });
    await place.outcome(admin, deleteArea, { area_code: 'BREVE' });
    await place.outcome(admin, deleteArea, { area_code: 'NORTE' });
    expect((await place.audited(deleteArea)).slice(before)).toEqual([
      'SUCCEEDED',
      'REFUSED NOT_FOUND',
      'REFUSED CONFLICT',
    ]);
  });
});

describe('areas out of reach', () => {
  it('a user with one area does not see the others', async () => {
    const user = await place.key({ owner: 'norte@example.test' });
    expect(await place.ask(user, listAreas)).toEqual({
      areas: [
        { code: 'COSTA', name: 'Costa', parent_code: 'NORTE', entity_code: 'E1', has_children: false },
        { code: 'NORTE', name: 'Área NORTE', parent_code: null, entity_code: 'E1', has_children: true },
      ],
      next_cursor: null,
    });
    expect(await codes(user, { parent_code: 'NORTE' })).toEqual(['COSTA']);
    for (const input of [
      { parent_code: 'VENTAS' },
      { parent_code: 'NADA' },
      { entity_code: 'E2' },
      { entity_code: 'E9' },
    ])
      expect(await place.outcome(user, listAreas, input)).toBe('NOT_FOUND');
  });
  it('a key fixed to an area cannot widen its own reach', async () => {
    const key = await place.key({ entity: 'E1', area: 'NORTE' });
    expect(await codes(key)).toEqual(['COSTA', 'NORTE']);
    expect(await place.outcome(key, updateArea, { area_code: 'VENTAS', name: 'x' })).toBe('NOT_FOUND');
    expect(await place.outcome(key, updateArea, { area_code: 'COSTA', parent_code: 'OBRAS' })).toBe('NOT_FOUND');
    expect(await place.outcome(key, createArea, { name: 'x', parent_code: 'VENTAS' })).toBe('NOT_FOUND');
    for (const [call, input] of [
      [createArea, { name: 'x' }],
      [updateArea, { area_code: 'NORTE', parent_code: null }],
      [updateArea, { area_code: 'COSTA', parent_code: null }],
      [deleteArea, { area_code: 'NORTE' }],
      [addAreaLocation, { area_code: 'COSTA', location_code: 'L1' }],
    ] as const)
      expect(await place.outcome(key, call, input)).toBe('FORBIDDEN');
    expect(await place.ask(key, createArea, { name: 'Debajo', code: 'DEBAJO', parent_code: 'COSTA' })).toMatchObject({
      parent_code: 'COSTA',
    });
  });
  it('with several entities a request must name one', async () => {
    await place.user('dos@example.test', 3, [
      ['E1', null],
      ['E2', null],
    ]);
    const key = await place.key({ owner: 'dos@example.test' });
    expect(await place.outcome(key, listAreas)).toBe('INVALID_CONTEXT');
    expect(await codes(key, { entity_code: 'E2' })).toEqual(['OTRA']);
  });
  it('areas of another group answer as missing and stay unchanged', async () => {
    const other = await place.otherGroup();
    const before = await place.auth.change(`select * from auth.area order by code`);
    for (const [call, input] of [
      [createArea, { name: 'x', parent_code: 'NORTE' }],
      [updateArea, { area_code: 'NORTE', name: 'x' }],
      [deleteArea, { area_code: 'COSTA' }],
      [areaDependencies, { area_code: 'NORTE' }],
      [addAreaLocation, { area_code: 'NORTE', location_code: 'L1' }],
      [removeAreaLocation, { area_code: 'NORTE', location_code: 'L1' }],
      [previewAreaLocationRemoval, { area_code: 'NORTE', location_code: 'L1' }],
      [listAreaLocations, { area_code: 'NORTE' }],
      [listAreas, { entity_code: 'E1', parent_code: 'NORTE' }],
    ] as const)
      expect(
        await place.outcome(other.admin, call, { ...(call === createArea ? { entity_code: 'E1' } : {}), ...input }),
      ).toBe('NOT_FOUND');
    expect(await codes(other.admin, { entity_code: 'E1' })).toEqual([]);
    expect(await place.ask(other.admin, createArea, { entity_code: 'E1', code: 'NORTE', name: 'Suya' })).toMatchObject({
      code: 'NORTE',
    });
    expect(await place.auth.change(`select * from auth.area order by code`)).toEqual(before);
  });
});
