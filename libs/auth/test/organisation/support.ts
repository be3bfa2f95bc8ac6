import { randomUUID } from 'node:crypto';
import {
  type Call,
  type CallerName,
  decode,
  DomainError,
  encode,
  issueAdministratorKey,
  verifyCredential,
} from '@acervo/contracts';
import { anonymous, Scope, WorkScope } from '@acervo/rbac';
import { RunningAuth } from '../support/auth';
import { FolderRegister } from './folder-register';

/** The parameters of a key: its owner, its role, and the part it is fixed to. */
export interface KeyRequest {
  readonly owner?: string;
  readonly entity?: string;
  readonly area?: string;
}

type JsonObject = Record<string, unknown>;
type UserCall = Call<object, object, 'user'>;

/** auth-service with a group G1 (entity E1) and its administrator. Tests send calls as the executor does. */
export class Organisation {
  private constructor(
    readonly auth: RunningAuth,
    readonly folders: FolderRegister,
    /** A key of the administrator without restrictions. */
    readonly admin: string,
    private readonly session: string,
    private readonly caller: CallerName,
  ) {}

  static async open(caller: CallerName = 'operations'): Promise<Organisation> {
    const folders = new FolderRegister();
    const auth = await RunningAuth.start({}, new Map([['ingestion', folders]]));
    return new Organisation(auth, folders, auth.group.apiKey ?? '', await auth.logIn(), caller);
  }

  get groupId(): string {
    return this.auth.group.groupId;
  }

  /** A key as users create it. */
  async key({ owner, entity, area }: KeyRequest = {}): Promise<string> {
    const request = { nombre: 'test', codigo_usuario_destino: owner, codigo_entidad: entity, codigo_area: area };
    const { status, body } = await this.auth.ask('POST', '/auth/api-key', request, { token: this.session });
    if (status !== 201 && status !== 200) throw new Error(`No key: ${status} ${JSON.stringify(body)}`);
    return String(body['api_key']);
  }

  /** A user with a role and whole entities or areas of them. */
  async user(email: string, roleId: number, grants: readonly (readonly [string, string | null])[]): Promise<void> {
    await this.auth.change(`insert into auth.app_user (group_id, email, name) values ($1, $2, $2)`, [
      this.groupId,
      email,
    ]);
    await this.auth.change(
      `insert into auth.user_role (group_id, user_id, role_id) select group_id, user_id, $2 from auth.app_user where email = $1`,
      [email, roleId],
    );
    for (const [entity, area] of grants)
      await this.auth.change(
        `insert into auth.user_entity (group_id, user_id, entity_code, area_code)
         select group_id, user_id, $2, $3 from auth.app_user where email = $1`,
        [email, entity, area],
      );
  }

  async scope(bearer: string): Promise<Scope> {
    const { claims, token } = await this.auth.callsOf('gateway').send(verifyCredential, anonymous, { bearer });
    return new Scope(claims, token);
  }

  /** The encoded answer of a call, under its wire names. */
  async ask(bearer: string, call: UserCall, input: JsonObject = {}, caller = this.caller): Promise<JsonObject> {
    const decoded = decode(call.input, input, { closed: true });
    return encode(call.output, await this.auth.callsOf(caller).send(call, await this.scope(bearer), decoded));
  }

  /** The answer of a call, or its refusal in short: the code and, for a conflict, its reason. */
  async outcome(bearer: string, call: UserCall, input: JsonObject = {}): Promise<unknown> {
    try {
      return await this.ask(bearer, call, input);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return [error.code, error.details['reason']].filter((part) => part !== undefined).join(' ');
    }
  }

  /** Creates another group with the same codes and another administrator; returns the key of that administrator. */
  async otherGroup(): Promise<{ groupId: string; admin: string }> {
    const groupId = randomUUID();
    await this.auth.database.write({ groupId }, async (tx) => {
      await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, 'G2', 'Otro')`, [groupId]);
      await tx.query(`insert into auth.entity (group_id, code, name) values ($1, 'E1', 'Otra')`, [groupId]);
      await tx.query(`insert into auth.app_user (group_id, email, name) values ($1, 'admin@other.test', 'O')`, [
        groupId,
      ]);
      await tx.query(
        `insert into auth.user_role (group_id, user_id, role_id) select group_id, user_id, 1 from auth.app_user`,
      );
    });
    const scope = new WorkScope(groupId, 'standalone', 'test');
    const { apiKey } = await this.auth.calls.send(issueAdministratorKey, scope, { name: 'test' });
    return { groupId, admin: apiKey };
  }

  /** How often each call succeeded and was refused, according to the audit records. */
  async audited(call: UserCall): Promise<readonly string[]> {
    const rows = await this.auth.server.asOwner(
      'auth',
      `select payload ->> 'outcome' as outcome, payload ->> 'error' as error from auth.outbox where payload ->> 'call' = $1 order by id`,
      [call.code],
    );
    return rows.map(({ outcome, error }) => [outcome, error].filter((part) => part !== null).join(' '));
  }

  close(): Promise<void> {
    return this.auth.close();
  }
}
