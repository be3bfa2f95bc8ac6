import fc from 'fast-check';
import { contractedOperations, type ScopeClaims, Unauthorized, verifyCredential } from '@acervo/contracts';
import { profile, type Profile } from '@acervo/public-mapping';
import { anonymous, levelOf, reaches } from '@acervo/rbac';
import { globalRoles } from '../../src/function-catalogue/roles';
import { parseKey } from '../../src/keys/key-format';
import { Peppers } from '../../src/secrets/peppers';
import { KeyStore } from '../../src/keys/key.store';
import { RunningAuth } from '../support/auth';

const RUNS_SETTING = process.env['ACERVO_MODEL_RUNS'];
const RUNS = Number(RUNS_SETTING ?? 50);

const PEOPLE = [0, 1, 2] as const;
/** Roles of the product, and two of the group whose level changes. */
const ROLES = [1, 3, 10_000, 10_001] as const;
type RoleId = (typeof ROLES)[number];

/** The model of a group: its people, their roles, the levels of the roles, and the keys with owner and creator. */
interface Model {
  readonly people: { there: boolean; active: boolean; readonly roles: Set<RoleId> }[];
  readonly levels: Map<RoleId, Profile>;
  readonly keys: { text: string; revoked: boolean; owner: number; creator: number; role: RoleId }[];
}

type Change =
  | { readonly what: 'give' | 'take'; readonly who: number; readonly role: RoleId }
  | { readonly what: 'disable' | 'enable' | 'delete'; readonly who: number }
  | { readonly what: 'level'; readonly role: 10_000 | 10_001; readonly to: Profile }
  | { readonly what: 'revoke'; readonly key: number };

const who = fc.constantFrom(...PEOPLE);
const role = fc.constantFrom(...ROLES);
const changes: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('give' as const, 'take' as const), who, role }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constantFrom('disable' as const, 'enable' as const, 'delete' as const), who }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('level' as const),
      role: fc.constantFrom(10_000 as const, 10_001 as const),
      to: fc.constantFrom<Profile>('USUARIO', 'ADMINISTRADOR'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('revoke' as const), key: fc.nat({ max: 2 }) }) },
);
const histories = fc.record({
  roles: fc.tuple(...PEOPLE.map(() => fc.uniqueArray(role, { maxLength: 3 }))),
  keys: fc.array(fc.record({ owner: who, creator: who, role }), { minLength: 3, maxLength: 3 }),
  changes: fc.array(changes, { minLength: 1, maxLength: 6 }),
});

const highest = (model: Model, person: number): number => {
  const { there, active, roles } = model.people[person] ?? { there: false, active: false, roles: new Set<RoleId>() };
  if (!there || !active) return -1;
  return Math.max(-1, ...[...roles].map((id) => levelOf(model.levels.get(id) ?? 'USUARIO')));
};

/** The current level of a key; null for a key without rights. */
const levelOfKey = (model: Model, key: Model['keys'][number]): Profile | null => {
  const owner = model.people[key.owner];
  const ownLevel = model.levels.get(key.role) ?? 'USUARIO';
  const usable =
    !key.revoked &&
    owner?.there === true &&
    owner.active &&
    owner.roles.has(key.role) &&
    levelOf(ownLevel) <= highest(model, key.creator);
  return usable ? ownLevel : null;
};

/** The operations that a caller reaches by its screens. An administrator's screen gives nothing to a lower level. */
const operationsOf = (claims: ScopeClaims) =>
  contractedOperations.filter(({ screens }) => reaches(claims, { kind: 'screens', anyOf: screens }));

describe('the level of a key', () => {
  let auth: RunningAuth;
  const keys = new KeyStore(new Peppers('a pepper of the test'));
  const idOf = (person: number): string => `00000000-0000-7000-8000-00000000000${person + 1}`;

  beforeAll(async () => {
    auth = await RunningAuth.start();
    await auth.change(
      `insert into auth.group_role (group_id, role_id, code, name, profile) select group_id, r.id, r.code, r.code, 'USUARIO'
       from auth.tenant_group, (values (10000, 'UNO'), (10001, 'DOS')) r(id, code)`,
    );
    await auth.change(
      `insert into auth.group_role_function (group_id, role_id, function_code) select group_id, r.id, f.code
       from auth.tenant_group, (values (10000), (10001)) r(id), (values ('MANAGE_ENTITIES'), ('DOCUMENTS')) f(code)`,
    );
  });
  afterAll(() => auth.close());

  const begin = async (history: { roles: RoleId[][]; keys: Omit<Model['keys'][number], 'text' | 'revoked'>[] }) => {
    await auth.change(`delete from auth.app_user where email like 'p%@levels.test'`);
    await auth.change(`update auth.group_role set profile = 'USUARIO'`);
    const { groupId } = auth.group;
    const model: Model = { people: [], levels: new Map(), keys: [] };
    for (const id of ROLES) model.levels.set(id, globalRoles.find((each) => each.id === id)?.profile ?? 'USUARIO');
    await auth.database.write({ groupId }, async (tx) => {
      for (const person of PEOPLE) {
        const roles = new Set(history.roles[person]);
        model.people.push({ there: true, active: true, roles });
        await tx.query(`insert into auth.app_user (group_id, user_id, email, name) values ($1, $2, $3, $3)`, [
          groupId,
          idOf(person),
          `p${person}@levels.test`,
        ]);
        for (const id of roles)
          await tx.query(`insert into auth.user_role (group_id, user_id, role_id) values ($1, $2, $3)`, [
            groupId,
            idOf(person),
            id,
          ]);
      }
      for (const { owner, creator, role: roleId } of history.keys) {
        const made = { userId: idOf(owner), createdBy: idOf(creator), roleId, name: 'key' };
        model.keys.push({ text: await keys.create(tx, made), revoked: false, owner, creator, role: roleId });
      }
    });
    return model;
  };

  const apply = async (model: Model, change: Change): Promise<void> => {
    if (change.what === 'level') {
      await auth.change(`update auth.group_role set profile = $2 where role_id = $1`, [change.role, change.to]);
      model.levels.set(change.role, change.to);
      return;
    }
    if (change.what === 'revoke') {
      const key = model.keys[change.key];
      if (key === undefined) return;
      await auth.change(`update auth.api_key set revoked_at = now() where key_id = $1`, [parseKey(key.text)?.keyId]);
      key.revoked = true;
      return;
    }
    const person = model.people[change.who];
    if (person === undefined || !person.there) return;
    const id = idOf(change.who);
    if (change.what === 'give') {
      await auth.change(
        `insert into auth.user_role (group_id, user_id, role_id) select group_id, user_id, $2 from auth.app_user where user_id = $1 on conflict do nothing`,
        [id, change.role],
      );
      person.roles.add(change.role);
    } else if (change.what === 'take') {
      await auth.change(`delete from auth.user_role where user_id = $1 and role_id = $2`, [id, change.role]);
      person.roles.delete(change.role);
    } else if (change.what === 'delete') {
      await auth.change(`delete from auth.app_user where user_id = $1`, [id]);
      person.there = false;
    } else {
      person.active = change.what === 'enable';
      await auth.change(`update auth.app_user set state = $2 where user_id = $1`, [
        id,
        person.active ? 'ACTIVO' : 'INACTIVO',
      ]);
    }
  };

  const verified = async (bearer: string): Promise<ScopeClaims | null> => {
    try {
      return (await auth.callsOf('gateway').send(verifyCredential, anonymous, { bearer })).claims;
    } catch (error) {
      if (error instanceof Unauthorized) return null;
      throw error;
    }
  };

  it(
    "a key has its role's level, capped by owner and creator",
    async () => {
      const seen = new Set<Profile | null>();
      let operations = 0;
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          const model = await begin(history);
          for (const change of [undefined, ...history.changes]) {
            if (change !== undefined) await apply(model, change);
            for (const key of model.keys) {
              const claims = await verified(key.text);
              expect(claims?.profile ?? null).toBe(levelOfKey(model, key));
              if (claims === null) continue;
              const most = Math.min(highest(model, key.owner), highest(model, key.creator));
              expect(operationsOf(claims).filter((operation) => levelOf(operation.profile) > most)).toEqual([]);
              operations += operationsOf(claims).length;
            }
            for (const key of model.keys) seen.add(levelOfKey(model, key));
          }
        }),
        { numRuns: RUNS, ...(RUNS_SETTING === undefined ? { seed: 9 } : {}) },
      );
      expect(operations).toBeGreaterThan(0);
      // The histories are meaningful: some keys work at each level, and some do not.
      expect(seen).toEqual(new Set([null, ...profile.internalCodes.filter((code) => code !== 'SISTEMA')]));
    },
    RUNS_SETTING === undefined ? 120_000 : 3_600_000,
  );
});
