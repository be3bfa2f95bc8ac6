import { setTimeout as pause } from 'node:timers/promises';
import type { HttpClient } from '../http-client';
import { PASSWORD } from '../people';

/** Each session that is used is renewed in this time; the address of all people is one, and may log in once in a while. */
const [RENEWED_MS, LOGIN_MS] = [400, 8_000];

interface Session {
  access: string;
  refresh: string;
}

/** The sessions of one person: used ones, which are renewed again and again, and idle ones, which are not. */
export class Sessions {
  /** What was not answered as it should be. */
  readonly failures: string[] = [];
  /** Answers by request. */
  readonly answered: Record<string, number> = {};

  private constructor(
    private readonly client: HttpClient,
    private readonly email: string,
    private readonly used: Session[],
    private readonly idle: Session[],
  ) {}

  /** Logs in. @throws where a login is refused */
  static async open(client: HttpClient, email: string, each: number): Promise<Sessions> {
    const opened = new Sessions(client, email, [], []);
    for (let made = 0; made < each; made += 1)
      for (const sessions of [opened.used, opened.idle]) sessions.push(await opened.logIn());
    if (opened.failures.length > 0) throw new Error(opened.failures.join('\n'));
    return opened;
  }

  /** Renews and uses the used sessions, logs in, and makes and uses API keys, until the signal. */
  async keep(until: AbortSignal): Promise<void> {
    const repeat = async (everyMs: number, work: () => Promise<unknown>): Promise<void> => {
      while (!until.aborted) {
        await work();
        await pause(everyMs, undefined, { signal: until }).catch(() => undefined);
      }
    };
    const renewals = this.used.map((session) => repeat(RENEWED_MS, () => this.renew(session)));
    await Promise.all([...renewals, repeat(LOGIN_MS, () => this.useKeyOf(this.logIn()))]);
  }

  /** Uses each session once more: those that were lost are failures. */
  async assertAlive(): Promise<void> {
    for (const session of [...this.used, ...this.idle]) await this.renew(session);
  }

  private async logIn(): Promise<Session> {
    const body = await this.ask('login', 'POST', '/auth/login', { email: this.email, password: PASSWORD });
    return { access: String(body['access_token']), refresh: String(body['refresh_token']) };
  }

  private async renew(session: Session): Promise<void> {
    const body = await this.ask('refresh', 'POST', '/auth/refrescar', { refresh_token: session.refresh });
    if (body['access_token'] === undefined) return;
    Object.assign(session, { access: body['access_token'], refresh: body['refresh_token'] });
    await this.ask('session', 'GET', '/auth/me', undefined, session.access);
  }

  private async useKeyOf(login: Promise<Session>): Promise<void> {
    const { access } = await login;
    const made = await this.ask('new key', 'POST', '/auth/api-key', { nombre: 'otra' }, access);
    await this.ask('session of a new key', 'GET', '/v1/session', undefined, String(made['api_key']));
  }

  private async ask(
    name: string,
    method: string,
    path: string,
    body?: object,
    bearer = '',
  ): Promise<Record<string, unknown>> {
    const at = new Date().toISOString();
    try {
      const answer = await this.client.send(method, path, body, { authorization: `Bearer ${bearer}` });
      this.answered[name] = (this.answered[name] ?? 0) + 1;
      if (answer.status > 299) this.failures.push(`${at} ${name}: ${answer.status} ${answer.text.slice(0, 200)}`);
      return answer.body;
    } catch (error) {
      this.failures.push(`${at} ${name}: ${String(error)}`);
      return {};
    }
  }
}
