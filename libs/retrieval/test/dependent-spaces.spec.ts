import { randomUUID } from 'node:crypto';
import { ScopeClaims } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { Scope } from '@acervo/rbac';
import { retrievalMigrations } from '../src/migrations';
import { DependentSpacesStore } from '../src/spaces/dependent-spaces.store';
import { EntitySpacesHandlers } from '../src/spaces/entity-spaces.handlers';
import { NamedCodesHandlers } from '../src/spaces/named-codes.handlers';

const [groupId, otherGroup, userId, otherId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const NO_CODES = { documentTypes: [], attributes: [], characteristics: [] };

type Draft = readonly [type: string, entity: string | null, owner: string, criteria: object | null];
const DRAFTS: readonly Draft[] = [
  ['AREA', 'E1', userId, { documentTypes: ['ACTA', 'CONTRATO'] }],
  ['AREA', 'E1', otherId, { documentTypes: ['ACTA'], attributes: ['RENTA'] }],
  ['ESPACIO', 'E2', otherId, { characteristics: ['URGENTE'] }],
  ['ESPACIO', null, otherId, { attributes: ['RENTA'] }],
  ['AREA', null, otherId, { attributes: ['RENTA'], name: 'ACTA' }],
  ['AREA', 'E1', userId, null],
];

describe('the spaces that depend on others', () => {
  let db: TestDatabase;
  let database: Database;
  let ofEntities: EntitySpacesHandlers;
  let naming: NamedCodesHandlers;
  beforeAll(async () => {
    db = await openTestDatabase({ retrieval: migrationsOf('retrieval', retrievalMigrations) });
    database = db.database('retrieval');
    ofEntities = new EntitySpacesHandlers(database, new DependentSpacesStore());
    naming = new NamedCodesHandlers(database, new DependentSpacesStore());
    for (const [index, draft] of DRAFTS.entries()) await add(groupId, index + 1, draft);
    await add(otherGroup, 1, ['AREA', 'E1', userId, { documentTypes: ['ACTA'] }]);
  });
  afterAll(() => db.close());

  const add = (group: string, id: number, [type, entity, owner, criteria]: Draft): Promise<unknown> =>
    database.write({ groupId: group }, (tx) =>
      tx.query(
        `insert into retrieval.space (group_id, space_id, name, description, type, entity_code, owner_id, criteria)
         values ($1, $2, 'Obras', '', $3, $4, $5, $6::jsonb)`,
        [group, id, type, entity, owner, criteria === null ? null : JSON.stringify(criteria)],
      ),
    );
  const scope = (over: Partial<ScopeClaims> = {}): Scope =>
    new Scope(
      Object.assign(new ScopeClaims(), {
        ...{
          groupId,
          userId,
          profile: 'ADMINISTRADOR',
          entities: ['E1', 'E2'],
          activeEntity: null,
          locationRoots: null,
        },
        ...over,
      }),
      'token',
    );
  const ofEntity = async (entityCode: string, group = groupId): Promise<number> =>
    (await ofEntities.count(scope({ groupId: group }), { entityCode })).spaces;
  const named = async (codes: object, over: Partial<ScopeClaims> = {}): Promise<number> =>
    (await naming.count(scope(over), { ...NO_CODES, ...codes })).spaces;

  it('all spaces of an entity count, those of other users too', async () => {
    expect([await ofEntity('E1'), await ofEntity('E2'), await ofEntity('E9')]).toEqual([3, 1, 0]);
    expect(await ofEntity('E1', otherGroup)).toBe(1);
  });

  it('spaces whose criteria name a code count once, by the kind of the code', async () => {
    expect(await named({ documentTypes: ['ACTA'] })).toBe(2);
    expect(await named({ documentTypes: ['ACTA', 'CONTRATO'], attributes: ['RENTA'] })).toBe(4);
    expect(await named({ characteristics: ['URGENTE', 'RENTA'] })).toBe(1);
    expect([await named({}), await named({ documentTypes: ['NINGUNO'] })]).toEqual([0, 0]);
  });

  it('spaces that the caller does not see do not count', async () => {
    const codes = { documentTypes: ['ACTA'], attributes: ['RENTA'], characteristics: ['URGENTE'] };
    expect(await named(codes)).toBe(5);
    const fixed = { isFixed: true, entities: ['E1'], activeEntity: 'E1' };
    expect(await named(codes, fixed)).toBe(3);
    expect(await named(codes, { profile: 'USUARIO', entities: ['E1'] })).toBe(2);
  });
});
