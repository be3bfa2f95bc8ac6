import { issueAdministratorKey, verifyCredential } from '@acervo/contracts';
import { anonymous, Scope, WorkScope } from '@acervo/rbac';
import { type Installation, PASSWORD } from './installation';
import type { Group } from './tenants';

/** The doors by which a group's people come in. */
export type Door = 'nobody' | 'session' | 'system' | 'key';

/** What the people of a group ask with. Made when first asked for, and made anew once forgotten. */
export class Credentials {
  private readonly held = new Map<string, Promise<string>>();

  constructor(
    private readonly installation: Installation,
    private readonly group: Group,
  ) {}

  get groupId(): string {
    return this.group.groupId;
  }

  readonly nobody = (): Promise<string> => Promise.resolve('');
  readonly session = (): Promise<string> => this.kept('session', () => this.logIn(`admin@${this.group.words}.test`));
  readonly system = (): Promise<string> => this.kept('system', () => this.logIn(`system@${this.group.words}.test`));
  readonly key = (): Promise<string> =>
    this.kept('key', async () => {
      const scope = new WorkScope(this.groupId, 'standalone', 'isolation');
      return (await this.installation.callsOf('standalone').send(issueAdministratorKey, scope, { name: 'key' })).apiKey;
    });

  /** The next request comes with new ones: a write may have ended or narrowed those that were used. */
  forget(): void {
    this.held.clear();
  }

  async scope(bearer: string): Promise<Scope> {
    const { claims, token } = await this.installation.callsOf('gateway').send(verifyCredential, anonymous, { bearer });
    return new Scope(claims, token);
  }

  private kept(name: string, make: () => Promise<string>): Promise<string> {
    const known = this.held.get(name) ?? make();
    this.held.set(name, known);
    return known;
  }

  /** A session without a focus, which would narrow what it sees. */
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
