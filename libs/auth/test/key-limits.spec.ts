import fc from 'fast-check';
import {
  allOperations,
  createApiKey,
  type ScopeClaims,
  type Screen,
  screens,
  verifyCredential,
} from '@acervo/contracts';
import { anonymous, levelOf, mayExecute, Scope } from '@acervo/rbac';
import { ADMIN, RunningAuth } from './support/auth';
import { makeUser } from './people/support';

const CREATOR = 'creador@example.test';
const OWNER = 'titular@example.test';

interface Role {
  readonly profile: 'USUARIO' | 'ADMINISTRADOR';
  readonly functions: readonly Screen[];
}

/** The people around a key: the roles of the group, and which of them (by index) creator and owner have. */
interface People {
  readonly roles: readonly Role[];
  readonly creator: readonly number[];
  readonly owner: readonly number[];
}

const ROLES = 4;
const FIRST = 10_001;
const someRoles = fc.uniqueArray(fc.nat(ROLES - 1), { minLength: 1, maxLength: 2 });
const role = fc.record<Role>({
  profile: fc.constantFrom('USUARIO', 'ADMINISTRADOR'),
  functions: fc.subarray([...screens]),
});
const people = fc.record<People>({
  roles: fc.array(role, { minLength: ROLES, maxLength: ROLES }),
  creator: someRoles,
  owner: someRoles,
});

describe('a key and its creator', () => {
  let auth: RunningAuth;

  beforeAll(async () => {
    auth = await RunningAuth.start();
    for (let index = 0; index < ROLES; index += 1)
      await auth.change(
        `insert into auth.group_role (group_id, role_id, code, name, profile) values ($1, $2, $3, $3, 'USUARIO')`,
        [auth.group.groupId, FIRST + index, `ROL-${index}`],
      );
    for (const email of [CREATOR, OWNER]) await makeUser(auth, auth.group.groupId, email, FIRST);
  });
  afterAll(() => auth.close());

  const setRoles = async (list: readonly Role[]): Promise<void> => {
    await auth.change('delete from auth.group_role_function');
    const rows = JSON.stringify(list.map((each, index) => ({ ...each, id: FIRST + index })));
    const sent = `jsonb_to_recordset($1::jsonb) as sent(id int, profile text, functions jsonb)`;
    await auth.change(`update auth.group_role r set profile = sent.profile from ${sent} where r.role_id = sent.id`, [
      rows,
    ]);
    await auth.change(
      `insert into auth.group_role_function (group_id, role_id, function_code)
       select $2, sent.id, jsonb_array_elements_text(sent.functions) from ${sent}`,
      [rows, auth.group.groupId],
    );
  };
  const give = async (email: string, owned: readonly number[]): Promise<void> => {
    await auth.change(
      `delete from auth.user_role where user_id = (select user_id from auth.app_user where email = $1)`,
      [email],
    );
    await auth.change(
      `insert into auth.user_role (group_id, user_id, role_id, position)
       select group_id, user_id, o.id, o.position from auth.app_user, unnest($2::int[]) with ordinality as o(id, position)
       where email = $1`,
      [email, owned.map((index) => FIRST + index)],
    );
  };
  const arrange = async ({ roles, creator, owner }: People): Promise<void> => {
    await setRoles(roles);
    await give(CREATOR, creator);
    await give(OWNER, owner);
  };
  const verify = async (bearer: string): Promise<Scope> => {
    const { claims, token } = await auth.callsOf('gateway').send(verifyCredential, anonymous, { bearer });
    return new Scope(claims, token);
  };
  const keyOf = async (token: string, roleCode: string): Promise<string> => {
    const input = { name: 'clave', ownerCode: OWNER, roleCode };
    return (await auth.callsOf('auth').send(createApiKey, await verify(token), input)).apiKey;
  };
  const logIn = (email: string): Promise<string> => auth.logIn({ email, password: ADMIN.password });

  it('an administrator without screens manages no key of another user', async () => {
    await arrange({ roles: [{ profile: 'ADMINISTRADOR', functions: [] }], creator: [0], owner: [0] });
    const token = await logIn(CREATOR);
    const ask = (method: string, path: string, body?: object) =>
      auth.ask(method, `/auth/api-key${path}`, body, { token });
    const strong = { nombre: 'x', codigo_usuario_destino: ADMIN.email, rol_solicitado: 'SEG_ADMIN_GRUPO' };
    expect((await ask('POST', '', strong)).status).toBe(403);
    expect((await ask('GET', '')).body['items']).toEqual([]);
    const name = await auth.change('select key_id as id from auth.api_key limit 1');
    expect((await ask('DELETE', `/${String(name[0]?.['id'])}`)).status).toBe(404);
    expect((await ask('POST', '', { nombre: 'propia' })).status).toBe(200);
  });

  it.each(['API_KEYS', 'MANAGE_USERS'] as const)(
    'with %s alone, a key for another has that screen alone',
    async (screen) => {
      const all = [...screens];
      await arrange({
        roles: [
          { profile: 'ADMINISTRADOR', functions: [screen] },
          { profile: 'ADMINISTRADOR', functions: all },
        ],
        creator: [0],
        owner: [1],
      });
      const key = await keyOf(await logIn(CREATOR), 'ROL-1');
      expect((await verify(key)).functions).toEqual([screen]);
      await give(CREATOR, [0, 1]);
      expect((await verify(key)).functions).toEqual(all.toSorted());
      await give(CREATOR, [0]);
      expect((await verify(key)).functions).toEqual([screen]);
    },
  );

  it('no key exceeds its owner or creator, at creation or later', async () => {
    const token = await logIn(CREATOR);
    const operations = allOperations();
    const rightsOf = async (email: string): Promise<Pick<ScopeClaims, 'functions' | 'profile'>[]> =>
      (await auth.change(
        `select r.profile, array(select f.function_code from auth.group_role_function f
             join auth.global_function screen on screen.code = f.function_code
             where f.role_id = r.role_id and (r.profile = 'ADMINISTRADOR' or screen.profile = 'USUARIO')) as functions
         from auth.user_role ur join auth.group_role r using (group_id, role_id)
         join auth.app_user u using (group_id, user_id) where u.email = $1`,
        [email],
      )) as unknown as Pick<ScopeClaims, 'functions' | 'profile'>[];
    /** What a key may do beyond its owner or its creator; undefined for a key that no longer works. */
    const excess = async (key: string): Promise<string[] | undefined> => {
      const claims = await verify(key).catch(() => undefined);
      if (claims === undefined) return undefined;
      const limits = [await rightsOf(CREATOR), await rightsOf(OWNER)];
      const tooHigh = limits.some((roles) => roles.every(({ profile }) => levelOf(profile) < levelOf(claims.profile)));
      const beyond = operations.filter(
        (each) => mayExecute(claims, each) && limits.some((roles) => !roles.some((one) => mayExecute(one, each))),
      );
      return [...(tooHigh ? [claims.profile] : []), ...beyond.map(({ code }) => code)];
    };
    const outcomes = { created: 0, stillWorking: 0 };
    await fc.assert(
      fc.asyncProperty(people, people, async (before, after) => {
        await arrange(before);
        const key = await keyOf(token, `ROL-${before.owner.at(-1)}`).catch(() => undefined);
        if (key === undefined) return;
        outcomes.created += 1;
        expect(await excess(key)).toEqual([]);
        await arrange(after);
        const later = await excess(key);
        expect(later ?? []).toEqual([]);
        if (later !== undefined) outcomes.stillWorking += 1;
      }),
      { numRuns: 60 },
    );
    expect(outcomes.created).toBeGreaterThan(5);
    expect(outcomes.stillWorking).toBeGreaterThan(0);
  });
});
