import { until } from '@acervo/platform-testing';
import { ADMIN, type Answer, type AskOptions, RunningAuth } from './support/auth';
import { AuthenticatorApp } from './support/authenticator-app';
import { MailServer } from './support/mail-server';

interface Line {
  readonly security?: string;
  readonly requestId?: string;
  readonly account?: string;
  readonly msg: string;
}

/** The messages of the line that ends a request. */
const LAST: ReadonlySet<string> = new Set(['request', 'request refused']);

const EMAIL = 'persona@example.test';
const HASH = expect.stringMatching(/^[\w-]{22}$/) as string;
const ID = expect.stringMatching(/^[\w-]{12,36}$/) as string;
const PASSWORD = 'otra frase larga y segura';

/** auth-service with its log, asked under ids of requests that name each step. */
class Logged {
  readonly lines: string[] = [];
  private asked = 0;
  auth!: RunningAuth;

  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const log = { write: (line: string): void => void this.lines.push(line) };
    this.auth = await RunningAuth.start({ ACERVO_LOG_LEVEL: 'info', ...settings }, new Map(), log);
  }

  /** An answer, and the security lines of its request. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    options: AskOptions = {},
  ): Promise<Answer & { found: Line[] }> {
    const id = `step-${(this.asked += 1)}`;
    const answer = await this.auth.ask(method, path, body, { ...options, headers: { 'x-request-id': id } });
    const linesOfIt = (): Line[] =>
      this.lines.map((line) => JSON.parse(line) as Line).filter(({ requestId }) => requestId === id);
    // The last line of a request is written once its answer is sent.
    await until(`the log has the end of ${method} ${path}`, () => linesOfIt().some(({ msg }) => LAST.has(msg)));
    const found = linesOfIt();
    return { ...answer, found: found.filter(({ security }) => security !== undefined) };
  }
}

describe('the log of security events', () => {
  const logged = new Logged();
  const mails = new MailServer();
  const app = new AuthenticatorApp();
  let token: string;
  beforeAll(async () => {
    await logged.start({ ACERVO_SMTP_URL: await mails.start() });
    token = await logged.auth.logIn();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await logged.auth.close();
    await mails.stop();
  });

  const logIn = (password: string, email: string = ADMIN.email) =>
    logged.ask('POST', '/auth/login', { email, password });
  const event = (security: string, step: string, over: object = {}): object =>
    expect.objectContaining({ security, step, outcome: 'SUCCEEDED', account: HASH, address: HASH, ...over }) as object;
  const refused = (reason: string): object => ({ outcome: 'REFUSED', reason });
  const access = (reason: string, over: object = {}): object =>
    expect.objectContaining({ security: 'access', ...refused(reason), ...over }) as object;

  it('logins leave a line each, the refused ones with their reason', async () => {
    const right = await logIn(ADMIN.password);
    expect([right.status, right.found]).toEqual([200, [event('sign_in', 'password')]]);
    const wrong = await logIn('no es esta');
    expect(wrong.found).toEqual([event('sign_in', 'password', refused('UNAUTHORIZED')), access('UNAUTHORIZED')]);
    expect(wrong.found[0]?.account).toBe(right.found[0]?.account);
    const unknown = await logIn('no es esta', 'nadie@example.test');
    expect(unknown.found[0]?.account).not.toBe(right.found[0]?.account);
  });

  it('a locked account leaves a line', async () => {
    for (let round = 0; round < 5; round += 1) await logIn('no es esta', 'cerrada@example.test');
    const locked = await logIn('no es esta', 'cerrada@example.test');
    expect(locked.status).toBe(429);
    expect(locked.found).toEqual([event('sign_in', 'password', refused('RATE_LIMITED')), access('RATE_LIMITED')]);
  });

  it('keys leave a line when they are created, used in the wrong place and revoked', async () => {
    const created = await logged.ask('POST', '/auth/api-key', { nombre: 'x' }, { token });
    expect([created.status, created.found]).toEqual([200, [event('api_key', 'create')]]);
    const [key, keyId] = [String(created.body['api_key']), created.body['prefijo']];
    const inside = await logged.ask('GET', '/auth/me', undefined, { token: key });
    expect([inside.status, inside.found]).toEqual([
      403,
      [access('FORBIDDEN', { credential: 'api_key', credentialId: keyId })],
    ]);
    const revoked = await logged.ask('DELETE', `/auth/api-key/${String(keyId)}`, undefined, { token });
    expect([revoked.status, revoked.found]).toEqual([200, [event('api_key', 'revoke')]]);
    const dead = await logged.ask('GET', '/auth/me', undefined, { token: key });
    expect([dead.status, dead.found]).toEqual([
      401,
      [access('UNAUTHORIZED', { credential: 'api_key', credentialId: keyId })],
    ]);
    const absent = await logged.ask('DELETE', `/auth/api-key/${String(keyId)}`, undefined, { token });
    expect(absent.found).toEqual([event('api_key', 'revoke', refused('NOT_FOUND'))]);
  });

  it('refused credentials leave a line, whatever they are', async () => {
    const forged = await logged.ask('GET', '/auth/me', undefined, { token: 'eyJhbGciOiJub25lIn0.e30.x' });
    expect([forged.status, forged.found]).toEqual([401, [access('UNAUTHORIZED', { credential: 'session' })]]);
    const none = await logged.ask('GET', '/auth/me');
    expect([none.status, none.found]).toEqual([401, [access('UNAUTHORIZED', { credential: 'none' })]]);
  });

  it('a role that does not suffice leaves a line that names its user', async () => {
    const user = { codigo: EMAIL, nombre: 'Persona', password: ADMIN.password, id_rol: 3 };
    await logged.ask('POST', '/usuarios', user, { token });
    const memberToken = await logged.auth.logIn({ email: EMAIL, password: ADMIN.password });
    const { status, found } = await logged.ask('GET', '/usuarios', undefined, { token: memberToken });
    expect([status, found]).toEqual([403, [access('FORBIDDEN', { userId: ID, credentialId: ID })]]);
  });

  it('a recovery leaves a line at its request, its use and its second use', async () => {
    const asked = await logged.ask('POST', '/auth/recuperar-clave', { email: EMAIL });
    expect(asked.found).toEqual([event('password', 'request_link')]);
    const body = { token: (await mails.link(EMAIL)).token, password: PASSWORD };
    const reset = await logged.ask('POST', '/auth/establecer-clave', body);
    expect([reset.status, reset.found]).toEqual([200, [event('password', 'set_by_link')]]);
    expect(reset.found[0]?.account).toBe(asked.found[0]?.account);
    const again = await logged.ask('POST', '/auth/establecer-clave', body);
    expect(again.found).toMatchObject([{ security: 'password', step: 'set_by_link', ...refused('VALIDATION_ERROR') }]);
    expect(again.found[0]).not.toHaveProperty('account');
    const invited = await logged.ask('POST', '/auth/reenviar-invitacion', { email: EMAIL });
    expect(invited.found).toEqual([event('password', 'resend_link')]);
  });

  it('a registration leaves a line at its request and its confirmation', async () => {
    const email = 'nueva@example.test';
    const asked = await logged.ask('POST', '/auth/registro', { email, nombre: 'N', nombre_grupo: 'G' });
    expect(asked.found).toEqual([event('registration', 'request')]);
    const body = { token: (await mails.link(email)).token, password: PASSWORD };
    const confirmed = await logged.ask('POST', '/auth/establecer-clave', body);
    expect([confirmed.status, confirmed.found]).toEqual([200, [event('password', 'set_by_link')]]);
    expect(confirmed.found[0]?.account).toBe(asked.found[0]?.account);
  });

  it('a session leaves a line when it is renewed, reused and ended', async () => {
    const { body } = await logged.auth.ask('POST', '/auth/login', { email: EMAIL, password: PASSWORD });
    const { refresh_token } = body;
    const renewed = await logged.ask('POST', '/auth/refrescar', { refresh_token });
    expect(renewed.found).toMatchObject([{ security: 'session', step: 'refresh', outcome: 'SUCCEEDED' }]);
    const reused = await logged.ask('POST', '/auth/refrescar', { refresh_token });
    expect(reused.found).toMatchObject([
      { security: 'session', step: 'refresh', ...refused('UNAUTHORIZED') },
      { security: 'access', ...refused('UNAUTHORIZED') },
    ]);
    const ended = await logged.ask('POST', '/auth/logout', undefined, { token: await logged.auth.logIn() });
    expect([ended.status, ended.found]).toEqual([200, [event('session', 'log_out')]]);
  });

  it('a factor leaves a line when it is enrolled, refused, proved and removed', async () => {
    const memberToken = await logged.auth.logIn({ email: EMAIL, password: PASSWORD });
    const post = (path: string, body: object, bearer = memberToken) =>
      logged.ask('POST', `/auth/mfa/${path}`, body, { token: bearer });
    const enrolled = await post('enroll', {});
    expect([enrolled.status, enrolled.found]).toEqual([200, [event('factor', 'enroll')]]);
    const { factor_id, totp } = enrolled.body;
    const { challenge_id } = (await post('challenge', {})).body;
    const wrong = await post('verify', { factor_id, challenge_id, code: '000000' });
    expect(wrong.found).toEqual([event('sign_in', 'second_factor', refused('VALIDATION_ERROR'))]);
    app.stopClock();
    const code = app.codeOf((totp as { secret: string }).secret);
    const proved = await post('verify', { factor_id, challenge_id, code });
    expect([proved.status, proved.found]).toEqual([200, [event('sign_in', 'second_factor')]]);
    const owing = await logged.ask('GET', '/auth/me', undefined, { token: memberToken });
    expect([owing.status, owing.found]).toMatchObject([403, [{ security: 'access', ...refused('FORBIDDEN') }]]);
    const removed = await post('unenroll', { factor_id }, String(proved.body['access_token']));
    expect([removed.status, removed.found]).toEqual([200, [event('factor', 'remove')]]);
  });

  it('no line names an account, an address or a secret', () => {
    const all = logged.lines.join('\n');
    expect(all).not.toMatch(/@example|127\.0\.0\.1|::1|otpauth|eyJ[\w-]{10}|ac[vrip]_\w{20}|no es esta/);
    for (const secret of [ADMIN.password, PASSWORD]) expect(all).not.toContain(secret);
  });
});

describe('the log of limits', () => {
  const logged = new Logged();
  beforeAll(() => logged.start({ ACERVO_USER_RATE: '5' }));
  afterAll(() => logged.auth.close());

  it('a limited request leaves a line', async () => {
    const token = await logged.auth.logIn();
    const answers = [];
    for (let round = 0; round < 8; round += 1) answers.push(await logged.ask('GET', '/auth/me', undefined, { token }));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    for (const { found } of limited)
      expect(found).toMatchObject([{ security: 'access', outcome: 'REFUSED', reason: 'RATE_LIMITED' }]);
  });
});
