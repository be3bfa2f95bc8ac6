import { issueAdministratorKey, verifyCredential } from '@acervo/contracts';
import { anonymous, Scope, WorkScope } from '@acervo/rbac';
import { type Installation, PASSWORD } from './installation';
import type { Group } from './tenants';

/** Kinds of authentication of a request. */
export type Door = 'nobody' | 'session' | 'system' | 'key';

/** Credentials of the people of a group. They are created on first use, and again after `forget`. */
export class Credentials {
  private readonly pendingTokens = new Map<string, Promise<string>>();

  constructor(
    private readonly installation: Installation,
    private readonly group: Group,
  ) {}

  get groupId(): string {
    return this.group.groupId;
  }

  readonly nobody = (): Promise<string> => Promise.resolve('');
  readonly session = (): Promise<string> =>
    this.remembered('session', () => this.logIn(`admin@${this.group.words}.test`));
  readonly system = (): Promise<string> =>
    this.remembered('system', () => this.logIn(`system@${this.group.words}.test`));
  readonly key = (): Promise<string> =>
    this.remembered('key', async () => {
      const scope = new WorkScope(this.groupId, 'standalone', 'isolation');
      return (await this.installation.callsOf('standalone').send(issueAdministratorKey, scope, { name: 'key' })).apiKey;
    });

  /** Discards the credentials: a write may have ended or narrowed them. */
  forget(): void {
    this.pendingTokens.clear();
  }

  async scope(bearer: string): Promise<Scope> {
    const { claims, token } = await this.installation.callsOf('gateway').send(verifyCredential, anonymous, { bearer });
    return new Scope(claims, token);
  }

  private remembered(name: string, make: () => Promise<string>): Promise<string> {
    const pending = this.pendingTokens.get(name) ?? make();
    this.pendingTokens.set(name, pending);
    return pending;
  }

  /** A session without a focus: a focus would narrow its rights. */
  private async logIn(email: string): Promise<string> {
    const opened = await this.post('/auth/login', { email, password: PASSWORD }, {});
    const token = String(opened['access_token']);
    await this.post('/auth/cambiar-entidad', { codigo_entidad: null }, { authorization: `Bearer ${token}` });
    return token;
  }

  private async post(path: string, body: object, headers: Record<string, string>): Promise<Record<string, unknown>> {
    const answer = await fetch(`http://127.0.0.1:${this.installation.port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}
