import {
  issueAdministratorKey,
  provisionFirstGroup,
  Unauthorized,
  verifyCredential,
  type AuditRecord,
  type VerifiedScope,
} from '@acervo/contracts';
import { AuditTrail, CallServer, PublishedKeys, ScopeMint, ScopeVerifier, ServiceKeys } from '@acervo/platform-calls';
import { appRole, CATALOGUE_ROLE, catalogueViolations, Database, DIRECTORY_ROLE } from '@acervo/platform-database';
import { messagingTables } from '@acervo/platform-messaging';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { anonymous, WorkScope } from '@acervo/rbac';
import { formatKey, newKeyParts, parseKey } from '../src';
import { Peppers } from '../src/keys/key-hash';
import { KeyStore } from '../src/keys/key.store';
import { authMigrations, authSharedTables } from '../src/migrations';
import { ProvisioningService } from '../src/provisioning/provisioning.service';
import { ProvisioningStore } from '../src/provisioning/provisioning.store';
import { peopleProviders } from '../src/users/people';
import { CredentialStore } from '../src/verification/credential.store';
import { VerificationService } from '../src/verification/verification.service';

/** Nobody is invited here and no password is chosen. */
const nobody = (): never => {
  throw new Error('No user is made in these tests.');
};

class Remembered extends AuditTrail {
  readonly entries: AuditRecord[] = [];
  override record(_tx: unknown, entry: AuditRecord): Promise<void> {
    this.entries.push(entry);
    return Promise.resolve();
  }
}

describe('auth-service', () => {
  let server: TestDatabase;
  let database: Database;
  let directory: Database;
  let catalogue: Database;
  let calls: CallServer;
  let verifier: ScopeVerifier;
  let groupId: string;
  let key: string;
  const audit = new Remembered();

  const provision = async () =>
    calls.dispatch({
      code: provisionFirstGroup.code,
      caller: 'standalone',
      scope: anonymous,
      input: { group_name: 'Grupo', administrator: 'admin@example.test' },
    });
  const verify = async (bearer: string): Promise<VerifiedScope['claims']> => {
    const answer = await calls.dispatch({
      code: verifyCredential.code,
      caller: 'gateway',
      scope: anonymous,
      input: { bearer },
    });
    return verifier.verify(String(answer['token']));
  };
  const change = (sql: string): Promise<unknown> => database.write({ groupId }, (tx) => tx.query(sql));

  beforeAll(async () => {
    server = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
    database = server.database('auth');
    directory = new Database(server.connection(DIRECTORY_ROLE));
    catalogue = new Database(server.connection(CATALOGUE_ROLE));
    const keys = await ServiceKeys.generate();
    verifier = new ScopeVerifier(new PublishedKeys(() => Promise.resolve(keys.published)));
    const peppers = new Peppers('a pepper of the test');
    calls = new CallServer({
      service: 'auth',
      database,
      audit,
      providers: [
        new VerificationService({
          database,
          credentials: new CredentialStore(),
          peppers,
          mint: new ScopeMint(keys),
          verifier,
        }),
        new ProvisioningService(database, new ProvisioningStore(), new KeyStore(peppers)),
        ...peopleProviders({
          database,
          directory,
          catalogue,
          invitations: { invite: nobody },
          passwords: { hash: nobody, keep: nobody },
        }),
      ],
    });
    const [first, second] = await Promise.all([provision(), provision()]);
    const made = first['created'] === true ? first : second;
    groupId = String(made['group_id']);
    key = String(made['api_key']);
    expect([first['created'], second['created']].toSorted()).toEqual([false, true]);
    expect(second['group_id']).toBe(first['group_id']);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([directory.close(), catalogue.close()]);
    await server.close();
  });

  it('tells of the group that is there and shows its key no second time', async () => {
    expect(await provision()).toMatchObject({ group_id: groupId, created: false, api_key: null });
  });

  it('records each write, with who asked for it and no secret', () => {
    expect(audit.entries.map(({ call, outcome, caller }) => [call, outcome, caller])).toContainEqual([
      provisionFirstGroup.code,
      'SUCCEEDED',
      'standalone',
    ]);
    expect(JSON.stringify(audit.entries)).not.toContain(key);
  });

  it('turns a key into the scope of its owner', async () => {
    expect(await verify(key)).toMatchObject({
      groupId,
      userCode: 'admin@example.test',
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
  ])('refuses %s', async (_what, bearer) => {
    await expect(verify(bearer || ' ')).rejects.toThrow(Unauthorized);
  });

  it('refuses its own key with another secret, and an id under the locator of another group', async () => {
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
  ])('refuses it from the next request on when %s, and takes it again afterwards', async (_when, away, back) => {
    await change(away);
    await expect(verify(key)).rejects.toThrow(Unauthorized);
    await change(back);
    expect(await verify(key)).toMatchObject({ groupId });
  });

  it('narrows a scope to the folders of its area and of the areas below, and says when the area is gone', async () => {
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
    await change(`update auth.api_key set active_area = 'A3'`);
    await expect(verify(key)).rejects.toMatchObject({ code: 'CONTEXT_CONFLICT' });
    await change(`update auth.api_key set active_area = 'gone'`);
    await expect(verify(key)).rejects.toMatchObject({ code: 'CONTEXT_CONFLICT' });
    await change(`update auth.api_key set active_area = null, fixed_entity = 'E1', fixed_area = 'A2'`);
    expect(await verify(key)).toMatchObject({ activeEntity: 'E1', authorizedAreaRoot: 'A2', locationRoots: ['L2'] });
    await change(`update auth.user_entity set area_code = 'A3'`);
    await expect(verify(key)).rejects.toMatchObject({ code: 'CONTEXT_CONFLICT' });
    await change(`update auth.api_key set fixed_entity = null, fixed_area = null`);
    await change(`update auth.user_entity set area_code = null`);
    expect(await verify(key)).toMatchObject({ locationRoots: null });
  });

  it('keeps no secret of any key in its tables', async () => {
    const scope = new WorkScope(groupId, 'standalone', 'test');
    const secrets: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      const issued = await calls.dispatch({
        code: issueAdministratorKey.code,
        caller: 'standalone',
        scope,
        input: { name: `key ${index}` },
      });
      const text = String(issued['api_key']);
      expect(await verify(text)).toMatchObject({ groupId });
      secrets.push(parseKey(text)?.secret ?? '');
    }
    const dump = JSON.stringify(
      await database.read({ groupId }, (tx) =>
        tx.query(`select k::text as row, encode(k.secret_hash, 'escape') as hash from auth.api_key k`),
      ),
    );
    expect(dump).toContain('key 19');
    for (const secret of secrets) expect(dump).not.toContain(secret);
  });

  it('accepts calls from nobody who is not listed', async () => {
    await expect(
      calls.dispatch({ code: provisionFirstGroup.code, caller: 'gateway', scope: anonymous, input: {} }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('keeps its data in tables that the catalogue finds nothing wrong with', async () => {
    const notTenant = [...messagingTables, ...authSharedTables, 'migrations'];
    expect(
      await database.ungrouped((tx) =>
        catalogueViolations(tx.query, { schema: 'auth', appRole: appRole('auth'), notTenant }),
      ),
    ).toEqual([]);
  });
});
