import { PasswordHasher } from '../src/accounts/password-hasher';
import { ADMIN, type Answer, RunningAuth } from './support/auth';
import { MailServer } from './support/mail-server';

const ASSIGNED = 'clave que puso un administrador';
const CHOSEN = 'clave que eligió su dueña';
/** More than have a count of their own, which are ten. */
const DEVICES = 12;

describe('access from before the owner', () => {
  const mail = new MailServer();
  let auth: RunningAuth;
  beforeAll(async () => {
    auth = await RunningAuth.start({ ACERVO_SMTP_URL: await mail.start(), ACERVO_TRUSTED_PROXIES: '1' });
  });
  afterAll(async () => {
    await auth.close();
    await mail.stop();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await forgetCounts();
  });

  const forgetCounts = () => auth.database.ungrouped((tx) => tx.query('delete from auth.rate_count'));
  const post = (path: string, body: object, address = '192.0.2.1', device = ''): Promise<Answer> =>
    auth.ask('POST', `/auth/${path}`, body, { headers: { 'x-forwarded-for': address, 'x-device-token': device } });
  const logIn = (email: string, password: string, address?: string, device?: string): Promise<Answer> =>
    post('login', { email, password }, address, device);
  /** An unconfirmed account with a password of the administrator. */
  const assigned = async (email: string): Promise<void> => {
    const user = { codigo: email, nombre: 'Empleada', id_rol: 3, password: ASSIGNED };
    const { status } = await auth.ask('POST', '/usuarios', user, { token: await auth.logIn() });
    expect(status).toBe(201);
  };
  const recovered = async (email: string, more: object = {}): Promise<void> => {
    await post('recuperar-clave', { email });
    const { token } = await mail.link(email);
    expect((await post('establecer-clave', { token, password: CHOSEN, ...more })).status).toBe(200);
  };
  const rows = async (table: 'api_key' | 'factor', email: string, condition = 'true'): Promise<number> => {
    const sql = `select d.* from auth.${table} d join auth.app_user u using (group_id, user_id) where u.email = $1 and ${condition}`;
    return (await auth.change(sql, [email])).length;
  };
  const withKey = async (email: string, password: string): Promise<string> => {
    const token = String((await logIn(email, password)).body['access_token']);
    expect((await auth.ask('POST', '/auth/api-key', { nombre: 'prueba' }, { token })).status).toBe(200);
    return token;
  };
  /** Tokens of devices that have logged in with a password. */
  const devicesOf = async (email: string, password: string): Promise<string[]> => {
    const tokens: string[] = [];
    for (let device = 0; device < DEVICES; device += 1) {
      const { headers } = await logIn(email, password, `198.51.100.${device}`);
      tokens.push(headers.get('x-device-token') ?? '');
    }
    return tokens;
  };
  /** How often wrong passwords of these devices were compared, from an address each. */
  const comparedFrom = async (email: string, devices: readonly string[], each: number): Promise<number> => {
    const compared = jest.spyOn(PasswordHasher.prototype, 'matches');
    for (const [index, device] of devices.entries())
      for (let guess = 0; guess < each; guess += 1)
        await logIn(email, 'no es esta clave', `203.0.113.${index}`, device);
    return compared.mock.calls.length;
  };

  it('the first confirmation revokes keys, factors, sessions and devices from before', async () => {
    const email = 'nueva@example.test';
    await assigned(email);
    const token = await withKey(email, ASSIGNED);
    expect((await auth.ask('POST', '/auth/mfa/enroll', {}, { token })).status).toBe(200);
    await recovered(email);
    expect([await rows('api_key', email, 'd.revoked_at is null'), await rows('factor', email)]).toEqual([0, 0]);
    expect((await auth.ask('GET', '/auth/me', undefined, { token })).status).toBe(401);
    expect((await logIn(email, CHOSEN)).body).toMatchObject({ mfa_required: false });
  });
  it('a later recovery keeps keys and factors, and revokes keys on request', async () => {
    const email = 'firme@example.test';
    await assigned(email);
    await recovered(email);
    const token = await withKey(email, CHOSEN);
    await auth.ask('POST', '/auth/mfa/enroll', {}, { token });
    await forgetCounts();
    await recovered(email);
    expect([await rows('api_key', email, 'd.revoked_at is null'), await rows('factor', email)]).toEqual([1, 1]);
    await recovered(email, { revocar_claves: true });
    expect([await rows('api_key', email, 'd.revoked_at is null'), await rows('factor', email)]).toEqual([0, 1]);
  });
  it('devices from before a new password share the count of strangers', async () => {
    const email = 'robada@example.test';
    await assigned(email);
    const devices = await devicesOf(email, ASSIGNED);
    await recovered(email);
    await forgetCounts();
    const { headers } = await logIn(email, CHOSEN, '192.0.2.7');
    expect(await comparedFrom(email, devices, 2)).toBe(5);
    const owner = await logIn(email, CHOSEN, '192.0.2.7', headers.get('x-device-token') ?? '');
    expect(owner.status).toBe(200);
  });
  it('any number of known devices has ten counts of five attempts', async () => {
    const devices = await devicesOf(ADMIN.email, ADMIN.password);
    const compared = await comparedFrom(ADMIN.email, devices, 6);
    expect(compared).toBeLessThanOrEqual(50);
    // Unknown devices share one count of five.
    expect(compared).toBeGreaterThan(5);
  });
  it('a known device signs in from an address that is used up', async () => {
    const { headers } = await logIn(ADMIN.email, ADMIN.password);
    for (let visit = 0; visit < 61; visit += 1) await post('recuperar-clave', { email: `nadie${visit}@example.test` });
    expect((await logIn(ADMIN.email, ADMIN.password)).status).toBe(429);
    expect((await logIn(ADMIN.email, ADMIN.password, '192.0.2.1', headers.get('x-device-token') ?? '')).status).toBe(
      200,
    );
  });
});
