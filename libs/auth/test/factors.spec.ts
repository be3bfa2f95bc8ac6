import { ADMIN, RunningAuth } from './support/auth';
import { AuthenticatorApp } from './support/authenticator-app';
import { SoftwareAuthenticator } from './support/authenticator';

describe('a second factor', () => {
  const app = new AuthenticatorApp();
  let auth: RunningAuth;
  beforeAll(async () => {
    auth = await RunningAuth.start({ ACERVO_PUBLIC_URL: 'http://localhost:8080' });
  });
  beforeEach(() => app.stopClock());
  afterAll(() => auth.close());
  afterEach(async () => {
    jest.restoreAllMocks();
    await auth.change('delete from auth.factor');
    await auth.database.ungrouped((tx) => tx.query('delete from auth.rate_count'));
  });

  const post = (token: string, path: string, body?: object) => auth.ask('POST', `/auth/mfa/${path}`, body, { token });
  const factors = async (token: string) => (await auth.ask('GET', '/auth/mfa/factors', undefined, { token })).body;
  const challenge = async (token: string, body?: object) => (await post(token, 'challenge', body)).body;
  const codeOf = (secret: unknown, steps = 0): string => app.codeOf(secret, steps);
  const verify = async (token: string, factorId: unknown, proof: object) => {
    const { challenge_id: id } = await challenge(token, { factor_id: factorId });
    return post(token, 'verify', { factor_id: factorId, challenge_id: id, ...proof });
  };
  /** An enrolled factor whose enrolment code is one step old, so that the current code is still unused. */
  const enrolled = async () => {
    const token = await auth.logIn();
    const { body } = await post(token, 'enroll');
    const secret = (body['totp'] as { secret: string }).secret;
    const setUp = codeOf(secret, -1);
    const verified = await verify(token, body['factor_id'], { code: setUp });
    expect(verified.status).toBe(200);
    return { id: body['factor_id'], secret, setUp, aal1: token, aal2: String(verified.body['access_token']), verified };
  };

  it('a factor stays pending until its code arrives, then lifts the session', async () => {
    const token = await auth.logIn();
    const { status, body } = await post(token, 'enroll', { friendly_name: 'Mi teléfono' });
    expect(status).toBe(200);
    expect(body['totp']).toMatchObject({ qr_code: expect.stringMatching(/^data:image\/svg\+xml;base64,/) as string });
    expect(await factors(token)).toMatchObject({ factors: [{ status: 'pending', friendly_name: 'Mi teléfono' }] });
    expect((await auth.ask('GET', '/auth/me', undefined, { token })).status).toBe(200);
    const lifted = await verify(token, body['factor_id'], {
      code: codeOf((body['totp'] as { secret: string }).secret),
    });
    expect(lifted).toMatchObject({ status: 200, body: { refresh_token: expect.stringMatching(/^acr_/) as string } });
    const me = await auth.ask('GET', '/auth/me', undefined, { token: String(lifted.body['access_token']) });
    expect(me.body['nivel']).toBe('aal2');
  });

  it.each([
    [-2, 422],
    [-1, 200],
    [0, 200],
    [1, 422],
  ])('a code %d steps from now is answered with %d', async (steps, status) => {
    const token = await auth.logIn();
    const { body } = await post(token, 'enroll');
    const code = codeOf((body['totp'] as { secret: string }).secret, steps);
    expect((await verify(token, body['factor_id'], { code })).status).toBe(status);
  });

  it('without its factor a session reaches only factor routes and logout', async () => {
    const { aal1, id } = await enrolled();
    const fresh = await auth.ask('POST', '/auth/login', ADMIN);
    expect(fresh.body).toMatchObject({ mfa_required: true, factor_id: id, refresh_token: null });
    expect(fresh.headers.get('x-device-token')).toBeNull();
    for (const token of [aal1, String(fresh.body['access_token'])]) {
      const closed = await Promise.all([
        auth.ask('GET', '/auth/me', undefined, { token }),
        auth.ask('GET', '/auth/api-key', undefined, { token }),
        auth.ask('GET', '/usuarios', undefined, { token }),
        auth.ask('POST', '/auth/cambiar-entidad', { codigo_entidad: 'E1' }, { token }),
        post(token, 'enroll'),
        post(token, 'unenroll', { factor_id: id }),
      ]);
      expect(closed.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
      expect(await factors(token)).toMatchObject({ total: 1 });
      expect((await post(token, 'challenge')).status).toBe(200);
      expect((await auth.ask('POST', '/auth/logout', undefined, { token })).status).toBe(200);
    }
  });

  it('each code counts once, the enrolment code included, even under concurrency', async () => {
    const { id, secret, setUp } = await enrolled();
    const token = await auth.logIn();
    expect((await verify(token, id, { code: setUp })).status).toBe(422);
    const challenges = await Promise.all(Array.from({ length: 8 }, () => challenge(token)));
    const code = codeOf(secret);
    const answers = await Promise.all(
      challenges.map(({ challenge_id }) => post(token, 'verify', { factor_id: id, challenge_id, code })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await verify(token, id, { code })).status).toBe(422);
  });

  it('a spent, exhausted, expired or foreign challenge proves no factor', async () => {
    const { id, secret } = await enrolled();
    const [token, other] = [await auth.logIn(), await auth.logIn()];
    const { challenge_id: tried } = await challenge(token);
    const give = (bearer: string, challengeId: unknown, code: string) =>
      post(bearer, 'verify', { factor_id: id, challenge_id: challengeId, code });
    for (let round = 0; round < 3; round += 1) expect((await give(token, tried, '000000')).status).toBe(422);
    expect((await give(token, tried, codeOf(secret))).status).toBe(422);
    const { challenge_id: foreign } = await challenge(other);
    expect((await give(token, foreign, codeOf(secret))).status).toBe(422);
    const { challenge_id: late } = await challenge(token);
    await auth.change(`update auth.challenge set expires_at = now()`);
    expect((await give(token, late, codeOf(secret))).status).toBe(422);
    expect((await give(token, (await challenge(token))['challenge_id'], codeOf(secret))).status).toBe(200);
  });

  it('a factor takes ten wrong codes an hour over all sessions', async () => {
    const { id } = await enrolled();
    const tokens = [await auth.logIn(), await auth.logIn()];
    const challenges = await Promise.all(
      tokens.flatMap((token) => Array.from({ length: 10 }, async () => ({ token, ...(await challenge(token)) }))),
    );
    const answers = await Promise.all(
      challenges.map(({ token, ...opened }) =>
        post(token, 'verify', { factor_id: id, challenge_id: Reflect.get(opened, 'challenge_id'), code: '000000' }),
      ),
    );
    const evaluated = answers.filter(({ status }) => status === 422).length;
    expect(evaluated).toBeLessThanOrEqual(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - evaluated);
  });

  it('codes and challenges that a stranger spends do not delay a known device', async () => {
    const fromLogin = await auth.ask('POST', '/auth/login', ADMIN);
    const { id, secret, verified } = await enrolled();
    const token = await auth.logIn();
    const tryWith = async (device: Headers | undefined, code: string): Promise<number> => {
      const headers = { 'x-device-token': device?.get('x-device-token') ?? '' };
      const ask = (path: string, body: object) => auth.ask('POST', `/auth/mfa/${path}`, body, { token, headers });
      const opened = await ask('challenge', { factor_id: id });
      if (opened.status !== 200) return opened.status;
      return (await ask('verify', { factor_id: id, challenge_id: opened.body['challenge_id'], code })).status;
    };
    for (let round = 0; round < 10; round += 1) await verify(await auth.logIn(), id, { code: '000000' });
    expect(await tryWith(undefined, codeOf(secret))).toBe(429);
    expect(await tryWith(fromLogin.headers, codeOf(secret))).toBe(429);
    await auth.database.ungrouped((tx) =>
      tx.query(`update auth.rate_count set hits = array_fill(now(), array[60]) where name like 'challenge:%:user:%'`),
    );
    expect(await tryWith(undefined, codeOf(secret))).toBe(429);
    expect(await tryWith(verified.headers, codeOf(secret))).toBe(200);
  });

  it('spellings of a factor share its ten wrong codes', async () => {
    const { id, secret } = await enrolled();
    const spelling = (round: number): string => {
      let digits = 0;
      return String(id).replace(/[a-f]/g, (digit) => ((round >> digits++) & 1 ? digit.toUpperCase() : digit));
    };
    const [token, other] = [await auth.logIn(), await auth.logIn()];
    const statuses: number[] = [];
    for (let round = 0; round < 40; round += 1) {
      const guess = await verify(round % 2 === 0 ? token : other, spelling(round), { code: '000000' });
      statuses.push(guess.status);
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    await auth.database.ungrouped((tx) => tx.query('delete from auth.rate_count'));
    expect((await verify(token, String(id).toUpperCase(), { code: codeOf(secret) })).status).toBe(200);
  });

  it('a session opens 20 challenges an hour, a user 60', async () => {
    const { id } = await enrolled();
    await auth.database.ungrouped((tx) => tx.query('delete from auth.rate_count'));
    const open = async (token: string) => (await post(token, 'challenge', { factor_id: id })).status;
    const statuses: number[] = [];
    for (let session = 0; session < 4; session += 1) {
      const token = await auth.logIn();
      for (let round = 0; round < 25; round += 1) statuses.push(await open(token));
    }
    const opened = (from: number) => statuses.slice(from, from + 25).filter((status) => status === 200).length;
    expect([0, 25, 50, 75].map(opened)).toEqual([20, 20, 20, 0]);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
  });

  it('the factor of another user cannot be exhausted', async () => {
    const { id, secret } = await enrolled();
    const [owner] = await auth.change(`select user_id from auth.factor`);
    await auth.change(
      `insert into auth.app_user (group_id, email, name) select group_id, 'other@example.test', 'Other' from auth.app_user`,
    );
    await auth.change(`update auth.factor f set user_id = u.user_id from auth.app_user u where u.user_id <> f.user_id`);
    const stranger = await auth.logIn();
    const absent = '00000000-0000-4000-8000-000000000000';
    for (let round = 0; round < 12; round += 1)
      expect((await post(stranger, 'verify', { factor_id: id, challenge_id: absent, code: '000000' })).status).toBe(
        422,
      );
    await auth.change(`update auth.factor set user_id = $1`, [owner?.['user_id']]);
    await auth.change(`delete from auth.app_user where email = 'other@example.test'`);
    expect((await verify(await auth.logIn(), id, { code: codeOf(secret) })).status).toBe(200);
  });

  it('the first verified factor removes pending ones and their challenges', async () => {
    const attacker = await auth.logIn();
    const { body: planted } = await post(attacker, 'enroll');
    const { challenge_id: opened } = await challenge(attacker, { factor_id: planted['factor_id'] });
    const { id } = await enrolled();
    const code = codeOf((planted['totp'] as { secret: string }).secret);
    const proof = { factor_id: planted['factor_id'], challenge_id: opened, code };
    expect((await post(attacker, 'verify', proof)).status).toBe(422);
    expect((await post(attacker, 'challenge', { factor_id: planted['factor_id'] })).status).toBe(404);
    expect(await factors(attacker)).toMatchObject({ total: 1, factors: [{ factor_id: id, status: 'verified' }] });
    expect((await auth.change('select count(*)::int as n from auth.challenge where used_at is null'))[0]?.['n']).toBe(
      0,
    );
  });

  it('a session of aal1 proves no pending factor beside a verified one', async () => {
    const { secret } = await enrolled();
    const token = await auth.logIn();
    const planted = '019a0000-0000-7000-8000-0000000000ab';
    const session = `(select session_id from auth.session order by created_at desc limit 1)`;
    await auth.change(
      `insert into auth.factor (group_id, factor_id, user_id, kind, name, secret) select group_id, $1, user_id, kind, 'planted', secret from auth.factor`,
      [planted],
    );
    const [opened] = await auth.change(
      `insert into auth.challenge (group_id, factor_id, session_id, expires_at) select group_id, factor_id, ${session}, now() + interval '5 minutes'
       from auth.factor where factor_id = $1 returning challenge_id`,
      [planted],
    );
    expect((await post(token, 'challenge', { factor_id: planted })).status).toBe(404);
    const proof = { factor_id: planted, challenge_id: opened?.['challenge_id'], code: codeOf(secret) };
    expect((await post(token, 'verify', proof)).status).toBe(422);
    expect(
      (await auth.change('select max(assurance) as most from auth.session where session_id = ' + session))[0],
    ).toEqual({ most: 1 });
  });

  it('a pending factor expires after ten minutes', async () => {
    const token = await auth.logIn();
    const { body } = await post(token, 'enroll');
    const { challenge_id: opened } = await challenge(token);
    await auth.change(`update auth.factor set created_at = now() - interval '10 minutes'`);
    const code = codeOf((body['totp'] as { secret: string }).secret);
    const proof = { factor_id: body['factor_id'], challenge_id: opened, code };
    expect((await post(token, 'verify', proof)).status).toBe(422);
    expect((await post(token, 'challenge')).status).toBe(404);
    expect(await factors(token)).toMatchObject({ total: 0 });
    await post(token, 'enroll');
    expect(await auth.change('select from auth.factor')).toHaveLength(1);
  });

  it('elevation spends the refresh tokens of before', async () => {
    const { body: opened } = await auth.ask('POST', '/auth/login', ADMIN);
    const token = String(opened['access_token']);
    const { body } = await post(token, 'enroll');
    const code = codeOf((body['totp'] as { secret: string }).secret);
    const lifted = await verify(token, body['factor_id'], { code });
    const refresh = (tokens: Record<string, unknown>) =>
      auth.ask('POST', '/auth/refrescar', { refresh_token: tokens['refresh_token'] });
    const renewed = await refresh(lifted.body);
    const me = () => auth.ask('GET', '/auth/me', undefined, { token: String(renewed.body['access_token']) });
    expect((await me()).body).toMatchObject({ nivel: 'aal2' });
    expect((await refresh(opened)).status).toBe(401);
    expect((await me()).status).toBe(401);
  });

  it('the device of a verified factor logs in after the attempts are used up', async () => {
    const { verified } = await enrolled();
    const device = verified.headers.get('x-device-token') ?? '';
    const logIn = async (password: string, token = '') => {
      const headers = { 'x-device-token': token };
      return (await auth.ask('POST', '/auth/login', { ...ADMIN, password }, { headers })).status;
    };
    for (let guess = 0; guess < 5; guess += 1) expect(await logIn('no es esta clave')).toBe(401);
    expect(await logIn(ADMIN.password)).toBe(429);
    expect(await logIn(ADMIN.password, device)).toBe(200);
  });

  it('only a session that proved the factor removes it', async () => {
    const { id, aal2, aal1 } = await enrolled();
    expect((await post(aal1, 'unenroll', { factor_id: id })).status).toBe(403);
    expect((await post(aal2, 'unenroll', { factor_id: '00000000-0000-4000-8000-000000000000' })).status).toBe(404);
    expect((await post(aal2, 'unenroll', { factor_id: 'x' })).status).toBe(422);
    expect((await post(aal2, 'unenroll', { factor_id: id })).status).toBe(200);
    expect((await auth.ask('GET', '/auth/me', undefined, { token: aal1 })).status).toBe(200);
    expect((await post(aal1, 'challenge')).status).toBe(404);
  });

  it('a factor that is removed during its challenge is not found', async () => {
    const token = await auth.logIn();
    await post(token, 'enroll');
    // The attempt is counted between the choice of the factor and its challenge.
    const change = (sql: string) => auth.server.asOwner('auth', sql);
    await change(`create function auth.remove_factors() returns trigger language plpgsql security definer as $$ begin
      perform set_config('app.group_id', '${auth.group.groupId}', true); delete from auth.factor; return new; end $$`);
    await change('create trigger removes after insert on auth.rate_count execute function auth.remove_factors()');
    try {
      expect(await post(token, 'challenge')).toMatchObject({ status: 404 });
    } finally {
      await change('drop trigger removes on auth.rate_count');
      await change('drop function auth.remove_factors()');
    }
    expect(await factors(token)).toMatchObject({ total: 0 });
    expect(await auth.change('select from auth.challenge')).toEqual([]);
  });

  it('the secret of a factor is stored sealed', async () => {
    const { secret } = await enrolled();
    const [row] = await auth.change(`select encode(secret, 'escape') as text from auth.factor`);
    expect(row?.['text']).not.toContain(secret);
  });

  describe('a second factor that is a browser key', () => {
    const made = async (key: SoftwareAuthenticator) => {
      const token = await auth.logIn();
      const { body } = await post(token, 'enroll', { factor_type: 'webauthn' });
      const opened = await challenge(token);
      const credential = key.create(opened['options'] as Record<string, unknown>);
      const proof = { factor_id: body['factor_id'], challenge_id: opened['challenge_id'], credential };
      return { proof, answer: await post(token, 'verify', proof), token };
    };

    it('a browser key enrols once, signs a challenge once, lifts the session', async () => {
      const key = new SoftwareAuthenticator('localhost', 'http://localhost:8080');
      const { proof, answer, token: first } = await made(key);
      expect(answer.status).toBe(200);
      expect((await post(first, 'verify', proof)).status).toBe(422);
      const token = await auth.logIn();
      const opened = await challenge(token);
      const credential = key.get(opened['options'] as Record<string, unknown>);
      const sent = { ...proof, challenge_id: opened['challenge_id'], credential };
      const answers = await Promise.all(Array.from({ length: 3 }, () => post(token, 'verify', sent)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
    });
    it.each([
      ['another site', new SoftwareAuthenticator('localhost', 'https://evil.example.test')],
      ['another host', new SoftwareAuthenticator('evil.example.test', 'http://localhost:8080')],
    ])('a browser key made for %s is refused', async (_what, key) => {
      expect((await made(key)).answer.status).toBe(422);
    });
    it('a falling counter and a signature of another key are refused', async () => {
      const key = new SoftwareAuthenticator('localhost', 'http://localhost:8080');
      key.count = 5;
      const { proof } = await made(key);
      const token = await auth.logIn();
      const sign = async (by: SoftwareAuthenticator) => {
        const opened = await challenge(token);
        const credential = by.get(opened['options'] as Record<string, unknown>);
        return (await post(token, 'verify', { ...proof, challenge_id: opened['challenge_id'], credential })).status;
      };
      expect(await sign(new SoftwareAuthenticator('localhost', 'http://localhost:8080'))).toBe(422);
      key.count = 1;
      expect(await sign(key)).toBe(422);
      key.count = 9;
      expect(await sign(key)).toBe(200);
    });
  });
});
