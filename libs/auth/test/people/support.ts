import { randomUUID } from 'node:crypto';
import { issueAdministratorKey } from '@acervo/contracts';
import { WorkScope } from '@acervo/rbac';
import { ADMIN, type Answer, RunningAuth } from '../support/auth';

/** Callers: administrator and user of G1, a SYSTEM user of G1, the administrator of G2, an API key of G1. */
export const callers = ['admin', 'user', 'system', 'other', 'key'] as const;
export type Caller = (typeof callers)[number];

const copyPassword = `insert into auth.password (group_id, user_id, hash) select group_id, user_id, $2 from auth.app_user
  where group_id = $1 and email = $3`;

/** auth-service with two groups and a session of each caller. */
export class People {
  private constructor(
    readonly auth: RunningAuth,
    readonly otherGroupId: string,
    private readonly tokens: Readonly<Record<Caller, string>>,
  ) {}

  static async open(): Promise<People> {
    const auth = await RunningAuth.start();
    const otherGroupId = await makeGroup(auth, 'G2');
    const { groupId } = auth.group;
    await makeUser(auth, groupId, 'user@example.test', 3);
    await makeUser(auth, groupId, 'system@example.test', 2);
    await makeUser(auth, otherGroupId, 'admin@other.test', 1);
    const { apiKey } = await auth.calls.send(issueAdministratorKey, new WorkScope(groupId, 'standalone', 'test'), {
      name: 'test',
    });
    const token = (email: string): Promise<string> => auth.logIn({ email, password: ADMIN.password });
    return new People(auth, otherGroupId, {
      admin: await token(ADMIN.email),
      user: await token('user@example.test'),
      system: await token('system@example.test'),
      other: await token('admin@other.test'),
      key: apiKey,
    });
  }

  as(caller: Caller, method: string, path: string, body?: unknown): Promise<Answer> {
    return this.auth.ask(method, path, body, { token: this.tokens[caller] });
  }

  /** Inserts a user with a role and the password of the administrator into the tables. */
  user(email: string, roleId: number): Promise<void> {
    return makeUser(this.auth, this.auth.group.groupId, email, roleId);
  }

  close(): Promise<void> {
    return this.auth.close();
  }
}

const makeGroup = async ({ database }: RunningAuth, code: string): Promise<string> => {
  const groupId = randomUUID();
  await database.write({ groupId }, async (tx) => {
    await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, $2, $2)`, [groupId, code]);
    await tx.query(`insert into auth.entity (group_id, code, name) values ($1, 'E1', 'Entidad')`, [groupId]);
  });
  return groupId;
};

export const makeUser = async (auth: RunningAuth, groupId: string, email: string, roleId: number): Promise<void> => {
  const [existing] = await auth.change(
    `select p.hash from auth.password p join auth.app_user u on u.group_id = p.group_id and u.user_id = p.user_id where u.email = $1`,
    [ADMIN.email],
  );
  await auth.database.write({ groupId }, async (tx) => {
    await tx.query(`insert into auth.app_user (group_id, email, name, address_confirmed) values ($1, $2, $3, true)`, [
      groupId,
      email,
      email.split('@')[0],
    ]);
    await tx.query(
      `insert into auth.user_role (group_id, user_id, role_id) select group_id, user_id, $2 from auth.app_user where group_id = $1 and email = $3`,
      [groupId, roleId, email],
    );
    await tx.query(copyPassword, [groupId, existing?.['hash'], email]);
  });
};
