import {
  addUserEntity,
  createEntity,
  type Credential,
  issueAdministratorKey,
  issuePasswordLink,
  NotFound,
  provisionFirstGroup,
  renewScope,
  TooManyEntities,
  Unauthorized,
  verifyCredential,
  type VerifiedScope,
} from '@acervo/contracts';
import { keyTables } from '@acervo/platform-calls';
import { appRole, catalogueViolations } from '@acervo/platform-database';
import { messagingTables } from '@acervo/platform-messaging';
import { anonymous, Scope, WorkScope } from '@acervo/rbac';
import { formatKey, newKeyParts, parseKey } from '../src';
import { authSharedTables } from '../src/migrations';
import { ADMIN, RunningAuth } from './support/auth';

describe('auth-service', () => {
  let auth: RunningAuth;
  let groupId: string;
  let key: string;

  const provision = () =>
    auth.calls.send(provisionFirstGroup, anonymous, { groupName: 'Grupo', administrator: ADMIN.email });
  const verify = async (bearer: string): Promise<VerifiedScope['claims']> => {
    const credential: Credential = { bearer };
    return (await auth.callsOf('gateway').send(verifyCredential, anonymous, credential)).claims;
  };
  const change = (sql: string): Promise<unknown> => auth.change(sql);

  beforeAll(async () => {
    auth = await RunningAuth.start();
    groupId = auth.group.groupId;
    key = auth.group.apiKey ?? '';
  });
  afterAll(() => auth.close());

  it('repeated provisioning reports the group without showing its key again', async () => {
    expect(await Promise.all([provision(), provision()])).toMatchObject([
      { groupId, created: false, apiKey: null },
      { groupId, created: false, apiKey: null },
    ]);
  });

  it('every write is recorded with its actor and without secrets', async () => {
    const rows = await auth.server.asOwner('auth', 'select payload::text as payload from auth.outbox');
    const records = JSON.stringify(rows);
    expect(records).toContain(provisionFirstGroup.code);
    expect(records).toContain('SUCCEEDED');
    expect(records).not.toContain(parseKey(key)?.secret);
    expect(records).not.toContain(ADMIN.password);
  });

  it('an owner with the maximum of entities gets a renewed scope', async () => {
    const change = (sql: string) => auth.change(sql, [groupId]);
    await change(`insert into auth.entity (group_id, code, name)
      select $1, 'ENTIDAD-' || lpad(n::text, 12, '0'), 'Entidad' from generate_series(1, 4999) n`);
    await change(`insert into auth.user_entity (group_id, user_id, entity_code)
      select u.group_id, u.user_id, e.code from auth.app_user u join auth.entity e using (group_id)
      where u.group_id = $1 and e.code like 'ENTIDAD-%'`);
    const gateway = auth.callsOf('gateway');
    const verified = await gateway.send(verifyCredential, anonymous, { bearer: key });
    const renewed = await gateway.send(renewScope, anonymous, { token: verified.token });
    expect(renewed.claims.entities).toHaveLength(5_000);
    expect(renewed.claims.entities).toEqual(verified.claims.entities);
    const scope = new Scope(verified.claims, verified.token);
    const another = (await auth.callsOf('operations').send(createEntity, scope, { name: 'Una más' })).code;
    const assign = auth.callsOf('operations').send(addUserEntity, scope, { code: ADMIN.email, entityCode: another });
    await expect(assign).rejects.toBeInstanceOf(TooManyEntities);
    await auth.change(
      `insert into auth.user_entity (group_id, user_id, entity_code) select group_id, user_id, $2 from auth.app_user where group_id = $1`,
      [groupId, another],
    );
    await expect(verify(key)).rejects.toMatchObject({ details: { reason: 'TOO_MANY_ENTITIES', most: 5_000 } });
    await expect(gateway.send(renewScope, anonymous, { token: verified.token })).rejects.toBeInstanceOf(
      TooManyEntities,
    );
    await auth.change('delete from auth.user_entity where entity_code = $1', [another]);
    await auth.change('delete from auth.entity where code = $1', [another]);
    for (const table of ['user_entity where entity_code', 'entity where code'])
      await auth.change(`delete from auth.${table} like 'ENTIDAD-%'`);
  });

  it('a user that does not exist gets no link', async () => {
    const scope = new WorkScope(groupId, 'auth', 'test');
    const link = (userId: string) =>
      auth.callsOf('auth').send(issuePasswordLink, scope, { userId, purpose: 'INVITACION' });
    await expect(link('00000000-0000-4000-8000-000000000001')).rejects.toBeInstanceOf(NotFound);
  });

  it('a key becomes the scope of its owner', async () => {
    expect(await verify(key)).toMatchObject({
      groupId,
      userCode: ADMIN.email,
      profile: 'ADMINISTRADOR',
      entities: ['E1'],
      activeEntity: null,
      locationRoots: null,
      functions: expect.arrayContaining(['DOCUMENTS', 'CHAT-USER']) as string[],
    });
  });

  it.each([
    ['nothing', ''],
    ['a word', 'acv_'],
    ['an access token', 'eyJhbGciOiJIUzI1NiJ9.e30.x'],
    ['a key of another installation', formatKey(newKeyParts('00000000-0000-7000-8000-00000000000f'))],
  ])('verification refuses %s', async (_what, bearer) => {
    await expect(verify(bearer || ' ')).rejects.toThrow(Unauthorized);
  });

  it('a wrong secret and a foreign group locator are refused', async () => {
    const parts = parseKey(key);
    if (parts === undefined) throw new Error('The key has no parts.');
    await expect(verify(formatKey({ ...parts, secret: newKeyParts(groupId).secret }))).rejects.toThrow(Unauthorized);
    await expect(verify(formatKey({ ...parts, groupId: '00000000-0000-7000-8000-00000000000f' }))).rejects.toThrow(
      Unauthorized,
    );
  });

  it.each([
    ['the key is revoked', `update auth.api_key set revoked_at = now()`, `update auth.api_key set revoked_at = null`],
    [
      'its owner is disabled',
      `update auth.app_user set state = 'INACTIVO'`,
      `update auth.app_user set state = 'ACTIVO'`,
    ],
    [
      'its owner loses the part that the key plays',
      `update auth.user_role set role_id = 9999`,
      `update auth.user_role set role_id = 1`,
    ],
  ])('a key is refused while %s, and accepted again afterwards', async (_when, away, back) => {
    await change(away);
    await expect(verify(key)).rejects.toThrow(Unauthorized);
    await change(back);
    expect(await verify(key)).toMatchObject({ groupId });
  });

  it("a scope has its area's folders, and reports a deleted area", async () => {
    await change(
      `insert into auth.area values ('${groupId}', 'A1', 'E1', null, 'Area'), ('${groupId}', 'A2', 'E1', 'A1', 'Below'), ('${groupId}', 'A3', 'E1', null, 'Beside')`,
    );
    await change(
      `insert into auth.area_location values ('${groupId}', 'A1', 'L1'), ('${groupId}', 'A2', 'L2'), ('${groupId}', 'A3', 'L3')`,
    );
    await change(`update auth.user_entity set area_code = 'A1'`);
    expect(await verify(key)).toMatchObject({
      authorizedAreaRoot: 'A1',
      effectiveArea: 'A1',
      locationRoots: ['L1', 'L2'],
      areaFocusIsExplicit: false,
    });
    await change(`update auth.api_key set active_area = 'A2'`);
    expect(await verify(key)).toMatchObject({ effectiveArea: 'A2', locationRoots: ['L2'], areaFocusIsExplicit: true });
    const stale = { focusIsStale: true, locationRoots: [] };
    await change(`update auth.api_key set active_area = 'A3'`);
    expect(await verify(key)).toMatchObject(stale);
    await change(`update auth.api_key set active_area = 'gone'`);
    expect(await verify(key)).toMatchObject(stale);
    await change(`update auth.api_key set active_area = null, fixed_entity = 'E1', fixed_area = 'A2'`);
    expect(await verify(key)).toMatchObject({ activeEntity: 'E1', authorizedAreaRoot: 'A2', locationRoots: ['L2'] });
    await change(`update auth.user_entity set area_code = 'A3'`);
    expect(await verify(key)).toMatchObject(stale);
    await change(`update auth.api_key set fixed_entity = null, fixed_area = null`);
    await change(`update auth.user_entity set area_code = null`);
    expect(await verify(key)).toMatchObject({ locationRoots: null });
  });

  it('no table contains the secret of a key', async () => {
    const scope = new WorkScope(groupId, 'standalone', 'test');
    const secrets: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      const { apiKey: text } = await auth.calls.send(issueAdministratorKey, scope, { name: `key ${index}` });
      expect(await verify(text)).toMatchObject({ groupId });
      secrets.push(parseKey(text)?.secret ?? '');
    }
    const dump = JSON.stringify(
      await auth.database.read({ groupId }, (tx) =>
        tx.query(`select k::text as row, encode(k.secret_hash, 'escape') as hash from auth.api_key k`),
      ),
    );
    expect(dump).toContain('key 19');
    for (const secret of secrets) expect(dump).not.toContain(secret);
  });

  it('calls of unlisted services are refused', async () => {
    const input = { groupName: 'Grupo', administrator: ADMIN.email };
    await expect(auth.callsOf('gateway').send(provisionFirstGroup, anonymous, input)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('the tables of auth pass the schema check', async () => {
    const notTenant = [...messagingTables, ...keyTables, ...authSharedTables, 'migrations'];
    expect(
      await auth.database.ungrouped((tx) =>
        catalogueViolations(tx.query, { schema: 'auth', appRole: appRole('auth'), notTenant }),
      ),
    ).toEqual([]);
  });
});
