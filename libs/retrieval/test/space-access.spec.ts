import { Forbidden, NotFound } from '@acervo/contracts';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { migrationsOf } from '@acervo/platform-service';
import type { Scope } from '@acervo/rbac';
import {
  assertMayChange,
  mayChange,
  seesSpace,
  type SpaceOwnership,
  visibleSpacesSql,
} from '../src/space-members/space-access';
import { retrievalMigrations } from '../src/migrations';
import { userScope } from './documents';

const [groupId, ana, luis] = [1, 2, 3].map((last) => `00000000-0000-4000-8000-00000000000${last}`) as [
  string,
  string,
  string,
];
const person = (over: Parameters<typeof userScope>[1]): Scope =>
  userScope(groupId, { userId: ana, profile: 'USUARIO', credentialId: 'k', entities: ['E1'], ...over });

const CALLERS = {
  user: person({}),
  administrator: person({ profile: 'ADMINISTRADOR' }),
  system: person({ profile: 'SISTEMA' }),
  fixed: person({ profile: 'ADMINISTRADOR', isFixed: true }),
} as const;
type Caller = keyof typeof CALLERS;

/** Who sees a space and who changes it, by type, entity and owner: u(ser), a(dministrator), s(ystem), f(ixed administrator). */
const TABLE: readonly (readonly [SpaceOwnership, string, string])[] = [
  [{ type: 'AREA', entityCode: null, ownerId: ana }, 'uasf', 'uasf'],
  [{ type: 'AREA', entityCode: null, ownerId: luis }, 'as', 'as'],
  [{ type: 'AREA', entityCode: null, ownerId: null }, 'as', 'as'],
  [{ type: 'AREA', entityCode: 'E1', ownerId: ana }, 'uasf', 'uasf'],
  [{ type: 'AREA', entityCode: 'E1', ownerId: luis }, 'asf', 'asf'],
  [{ type: 'AREA', entityCode: 'E2', ownerId: ana }, 'as', 'as'],
  [{ type: 'AREA', entityCode: 'E2', ownerId: luis }, 'as', 'as'],
  [{ type: 'ESPACIO', entityCode: null, ownerId: ana }, 'uasf', 'uasf'],
  [{ type: 'ESPACIO', entityCode: null, ownerId: luis }, 'uasf', 'as'],
  [{ type: 'ESPACIO', entityCode: 'E1', ownerId: luis }, 'uasf', 'asf'],
  [{ type: 'ESPACIO', entityCode: 'E1', ownerId: null }, 'uasf', 'asf'],
  [{ type: 'ESPACIO', entityCode: 'E2', ownerId: ana }, 'as', 'as'],
  [{ type: 'ESPACIO', entityCode: 'E2', ownerId: luis }, 'as', 'as'],
];
const CASES = TABLE.flatMap(([space, seeing, changing]) =>
  (Object.keys(CALLERS) as Caller[]).map((caller) => {
    const [sees, changes] = [seeing, changing].map((letters) => letters.includes(caller.charAt(0)));
    return { caller, ...space, space, sees, changes };
  }),
);

describe('who sees and changes a space', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase({ retrieval: migrationsOf('retrieval', retrievalMigrations) });
  });
  afterAll(() => db.close());

  it.each(CASES)('$caller and $type of $entityCode, owned by $ownerId', ({ caller, space, sees, changes }) => {
    const scope = CALLERS[caller];
    const refusal = ((): unknown => {
      try {
        return assertMayChange(scope, space);
      } catch (error) {
        return (error as Error).constructor;
      }
    })();
    expect([seesSpace(scope, space), mayChange(scope, space)]).toEqual([sees, changes]);
    expect(refusal).toBe(changes ? undefined : sees ? Forbidden : NotFound);
  });

  it('a space that is absent is not found', () => {
    expect(() => assertMayChange(CALLERS.system, undefined)).toThrow(NotFound);
  });

  it('rows are seen as the rule says', async () => {
    for (const { caller, space, sees } of CASES) {
      const { sql, params } = visibleSpacesSql(CALLERS[caller], 's', 4);
      const row = `select from (values ($1, $2, $3::uuid)) as s (type, entity_code, owner_id) where ${sql}`;
      const values = [space.type, space.entityCode, space.ownerId, ...params];
      const rows = await db.database('retrieval').read({ groupId }, (tx) => tx.query(row, values));
      expect([caller, space, rows.length]).toEqual([caller, space, sees ? 1 : 0]);
    }
  });
});
