import { randomUUID } from 'node:crypto';
import { provisionFirstGroup, ScopeClaims, Unauthorized } from '@acervo/contracts';
import type { AuditRecord } from '@acervo/contracts';
import {
  AuditTrail,
  CallServer,
  HttpTransport,
  type LocalCalls,
  ProofMint,
  PublishedKeys,
  RoutedCalls,
  ScopeMint,
  ScopeVerifier,
  ServiceKeys,
} from '@acervo/platform-calls';
import { Calls } from '@acervo/platform-calls';
import { CATALOGUE_ROLE, Database, DIRECTORY_ROLE, type Transaction } from '@acervo/platform-database';
import { Authenticator, createHttpApp, type HttpApp } from '@acervo/platform-http';
import { createLogger, Metrics } from '@acervo/platform-observability';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { anonymous, Scope } from '@acervo/rbac';
import { Peppers } from '../../src/keys/key-hash';
import { KeyStore } from '../../src/keys/key.store';
import { authMigrations } from '../../src/migrations';
import { ProvisioningService } from '../../src/provisioning/provisioning.service';
import { ProvisioningStore } from '../../src/provisioning/provisioning.store';
import {
  type AfterCommit,
  FirstPasswords,
  type HashedPassword,
  Invitations,
  type Invited,
} from '../../src/users/invitations';
import { peopleControllers, peopleProviders } from '../../src/users/people';
import { CredentialStore } from '../../src/verification/credential.store';
import { VerificationService } from '../../src/verification/verification.service';

/** Remembers who was invited, once the transaction was committed. */
export class Letterbox extends Invitations {
  readonly sent: Invited[] = [];
  override invite(_tx: Transaction, invited: Invited): Promise<AfterCommit> {
    return Promise.resolve(() => void this.sent.push(invited));
  }
}

class Kept extends FirstPasswords {
  readonly byUser = new Map<string, string>();
  override hash(password: string): Promise<HashedPassword> {
    return Promise.resolve({ hash: `hash of ${password.length} characters` });
  }
  override keep(_tx: Transaction, userId: string, { hash }: HashedPassword): Promise<void> {
    this.byUser.set(userId, hash);
    return Promise.resolve();
  }
}

export class Remembered extends AuditTrail {
  readonly entries: AuditRecord[] = [];
  override record(_tx: Transaction, entry: AuditRecord): Promise<void> {
    this.entries.push(entry);
    return Promise.resolve();
  }
}

const CLAIMS = `
select u.user_id as "userId", u.email as "userCode", u.name as "userName", g.code as "groupCode", r.code as "roleCode", r.profile,
  coalesce((select array_agg(f.function_code) from auth.role_function_list f where f.role_id = r.role_id), '{}') as functions
from auth.app_user u join auth.tenant_group g on g.group_id = u.group_id
join auth.user_role ur on ur.group_id = u.group_id and ur.user_id = u.user_id
join auth.role_list r on r.role_id = ur.role_id
where u.group_id = $1 and u.email = $2 and u.state = 'ACTIVO' order by ur.position limit 1`;

/** Bearers are `<group id>/<address>`: the scope of a user as the tables have it now. */
class Door extends Authenticator {
  constructor(
    private readonly database: Database,
    private readonly mint: ScopeMint,
  ) {
    super();
  }

  override async authenticate(bearer: string): Promise<Scope> {
    const [groupId = '', email = ''] = bearer.split('/');
    if (!/^[0-9a-f-]{36}$/.test(groupId)) throw new Unauthorized();
    const [row] = await this.database.read({ groupId }, (tx) => tx.query<object>(CLAIMS, [groupId, email]));
    if (row === undefined) throw new Unauthorized();
    const claims = Object.assign(new ScopeClaims(), row, {
      groupId,
      credential: 'session',
      credentialId: 'test',
      assurance: 1,
      entities: [],
      activeEntity: null,
      authorizedAreaRoot: null,
      activeArea: null,
      effectiveArea: null,
      areaFocusIsExplicit: false,
      locationRoots: null,
    });
    return new Scope(claims, await this.mint.mint(claims));
  }
}

/** auth-service with its routes over a real database. */
export interface People {
  readonly server: TestDatabase;
  readonly database: Database;
  readonly http: HttpApp;
  readonly calls: CallServer;
  readonly audit: Remembered;
  readonly letterbox: Letterbox;
  /** The first group, G1, with the administrator admin@example.test. */
  readonly groupId: string;
  /** Makes another group with an entity and answers its id. */
  group(code: string): Promise<string>;
  /** Makes a user straight in the tables, with its first role, and answers its bearer. */
  user(groupId: string, email: string, roleId: number, name?: string): Promise<string>;
  close(): Promise<void>;
}

export const bearerOf = (groupId: string, email: string): string => `${groupId}/${email}`;

const provisioned = async (calls: CallServer): Promise<string> => {
  const made = await calls.dispatch({
    code: provisionFirstGroup.code,
    caller: 'standalone',
    scope: anonymous,
    input: { group_name: 'Grupo', administrator: 'admin@example.test' },
  });
  return String(made['group_id']);
};

const insertGroup = async (database: Database, code: string): Promise<string> => {
  const groupId = randomUUID();
  await database.write({ groupId }, async (tx) => {
    await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, $2, $3)`, [
      groupId,
      code,
      `Grupo ${code}`,
    ]);
    await tx.query(`insert into auth.entity (group_id, code, name) values ($1, 'E1', 'Entidad')`, [groupId]);
  });
  return groupId;
};

const insertUser = async (database: Database, groupId: string, email: string, roleId: number, name: string) =>
  database.write({ groupId }, async (tx) => {
    await tx.query(`insert into auth.app_user (group_id, email, name) values ($1, $2, $3)`, [groupId, email, name]);
    await tx.query(
      `insert into auth.user_role (group_id, user_id, role_id) select group_id, user_id, $2 from auth.app_user where group_id = $1 and email = $3`,
      [groupId, roleId, email],
    );
  });

export const openPeople = async (): Promise<People> => {
  const server = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
  const database = server.database('auth');
  const [directory, catalogue] = [DIRECTORY_ROLE, CATALOGUE_ROLE].map(
    (name) => new Database(server.connection(name)),
  ) as [Database, Database];
  const [audit, letterbox, peppers] = [new Remembered(), new Letterbox(), new Peppers('a pepper of the test')];
  const keys = await ServiceKeys.generate();
  const verifier = new ScopeVerifier(new PublishedKeys(() => Promise.resolve(keys.published)));
  const mint = new ScopeMint(keys);
  const providers = [
    new VerificationService({ database, credentials: new CredentialStore(), peppers, mint, verifier }),
    new ProvisioningService(database, new ProvisioningStore(), new KeyStore(peppers)),
    ...peopleProviders({ database, directory, catalogue, invitations: letterbox, passwords: new Kept() }),
  ];
  const calls = new CallServer({ service: 'auth', database, audit, providers });
  const local: LocalCalls = new Map([['auth', calls]]);
  const transport = new HttpTransport(() => 'http://nowhere.invalid', new ProofMint('auth', keys));
  class PeopleModule {}
  const http = await createHttpApp({
    module: {
      module: PeopleModule,
      controllers: [...peopleControllers],
      providers: [{ provide: Calls, useValue: new RoutedCalls('auth', local, transport, new Metrics('test')) }],
    },
    logger: createLogger({ service: 'test', level: 'silent' }),
    metrics: new Metrics('auth'),
    authenticator: () => new Door(database, mint),
  });
  const groupId = await provisioned(calls);
  return {
    server,
    database,
    http,
    calls,
    audit,
    letterbox,
    groupId,
    group: (code) => insertGroup(database, code),
    user: async (group, email, roleId, name = email.split('@')[0] ?? email) => {
      await insertUser(database, group, email, roleId, name);
      return bearerOf(group, email);
    },
    close: async () => {
      await http.close();
      transport.close();
      await Promise.all([directory.close(), catalogue.close()]);
      await server.close();
    },
  };
};
