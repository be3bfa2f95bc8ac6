import { decodeProtectedHeader, importJWK, jwtVerify, SignJWT, UnsecuredJWT, generateKeyPair, exportJWK } from 'jose';
import { MOST_SESSIONS, SessionStore } from '../src/credentials/session.store';
import { ADMIN, RunningAuth } from './support/auth';

const wrong = { email: ADMIN.email, password: 'not this one' };

describe('a session', () => {
  let auth: RunningAuth;
  beforeAll(async () => {
    auth = await RunningAuth.start({ ACERVO_TRUSTED_PROXIES: '1' });
  });
  afterAll(() => auth.close());

  const me = (token: string) => auth.ask('GET', '/auth/me', undefined, { token });
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const logInAll = async () => (await auth.ask('POST', '/auth/login', ADMIN, from('203.0.113.1'))).body;

  it('a user has fifty sessions at most; the oldest ends first', async () => {
    const [oldest, second] = [await auth.logIn(), await auth.logIn()];
    await auth.database.write(auth.group, async (tx) => {
      const [user] = await tx.query<{ id: string }>('select user_id as id from auth.session limit 1');
      const sessions = new SessionStore();
      for (let open = 2; open < MOST_SESSIONS; open += 1) await sessions.open(tx, user?.id ?? '');
    });
    expect((await me(oldest)).status).toBe(200);
    await auth.logIn();
    expect([(await me(oldest)).status, (await me(second)).status]).toEqual([401, 200]);
  });

  it('a login with address and password shows its user', async () => {
    const { status, body } = await me(await auth.logIn());
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        codigo_usuario: ADMIN.email,
        grupo_activo: 'G1',
        entidad_activa: 'E1',
        tipo_acceso: 'ADMINISTRADOR',
        rol_principal: 'SEG_ADMIN_GRUPO',
        nivel: 'aal1',
      },
    });
  });

  it('a user sees the own roles, the main one first', async () => {
    await auth.change(
      `insert into auth.user_role (group_id, user_id, role_id, position) select group_id, user_id, 4, 9 from auth.app_user where email = $1`,
      [ADMIN.email],
    );
    const { roles } = (await me(await auth.logIn())).body;
    expect(roles).toMatchObject([
      { id_rol: 1, codigo_rol: 'SEG_ADMIN_GRUPO', principal: true },
      { id_rol: 4, codigo_rol: 'USUARIO_FINAL', principal: false },
    ]);
    await auth.change('delete from auth.user_role where role_id = 4');
  });

  it('wrong password, unknown address and empty password get the same refusal', async () => {
    const answers = await Promise.all(
      [wrong, { ...wrong, email: 'nobody@example.test' }, { ...ADMIN, password: '' }].map((body) =>
        auth.ask('POST', '/auth/login', body, {
          headers: { 'x-request-id': 'same', 'x-forwarded-for': '203.0.113.2' },
        }),
      ),
    );
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 401, body: answers[0]?.body });
  });

  it.each([
    [{}, 422],
    [{ email: 1, password: 'x' }, 422],
    [{ ...ADMIN, more: 1 }, 422],
  ])('a login with %j is refused', async (body, status) => {
    const answer = await auth.ask('POST', '/auth/login', body);
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body)).toEqual(['codigo', 'mensaje', 'detalles', 'id_solicitud']);
  });

  it('a logout ends the session and its tokens', async () => {
    const { access_token: access, refresh_token: refresh } = await logInAll();
    const token = String(access);
    expect((await auth.ask('POST', '/auth/logout', undefined, { token })).status).toBe(200);
    expect((await me(token)).status).toBe(401);
    expect((await auth.ask('POST', '/auth/logout', undefined, { token })).status).toBe(401);
    expect((await auth.ask('POST', '/auth/refrescar', { refresh_token: refresh })).status).toBe(401);
  });

  it.each([
    [`update auth.app_user set state = 'INACTIVO'`, `update auth.app_user set state = 'ACTIVO'`],
    [`update auth.user_role set role_id = 9999`, `update auth.user_role set role_id = 1`],
    [`update auth.session set expires_at = now()`, `update auth.session set expires_at = now() + interval '1 day'`],
  ])('a session is suspended from the next request on after %s', async (away, back) => {
    const token = await auth.logIn();
    await auth.change(away);
    expect((await me(token)).status).toBe(401);
    await auth.change(back);
    expect((await me(token)).status).toBe(200);
  });

  it('a refresh token renews once; used twice it ends the session', async () => {
    const { refresh_token: first } = await logInAll();
    const renewed = await auth.ask('POST', '/auth/refrescar', { refresh_token: first });
    expect(renewed).toMatchObject({ status: 200, body: { token_type: 'bearer', expires_in: 3600 } });
    const token = String(renewed.body['access_token']);
    expect((await me(token)).status).toBe(200);
    expect((await auth.ask('POST', '/auth/refrescar', { refresh_token: first })).status).toBe(401);
    expect((await me(token)).status).toBe(401);
    const next = renewed.body['refresh_token'];
    expect((await auth.ask('POST', '/auth/refrescar', { refresh_token: next })).status).toBe(401);
  });

  it('a session changes only to entities of its user', async () => {
    await auth.change(`insert into auth.entity (group_id, code, name) values ($1, 'E2', 'Otra'), ($1, 'E3', 'Ajena')`, [
      auth.group.groupId,
    ]);
    await auth.change(
      `insert into auth.user_entity (group_id, user_id, entity_code) select group_id, user_id, 'E2' from auth.app_user`,
    );
    const token = await auth.logIn();
    const change = (code: unknown) => auth.ask('POST', '/auth/cambiar-entidad', { codigo_entidad: code }, { token });
    expect(await change('E2')).toMatchObject({ status: 200, body: { entidad_activa: 'E2' } });
    expect((await me(token)).body['entidad_activa']).toBe('E2');
    expect((await change('E3')).status).toBe(404);
    expect((await change('NINGUNA')).status).toBe(404);
    expect((await change(7)).status).toBe(422);
    expect(await change(null)).toMatchObject({ status: 200, body: { entidad_activa: null } });
    expect((await me(await auth.logIn())).body['entidad_activa']).toBe('E1');
  });

  it('a session begins in the start area its user still has', async () => {
    const { groupId } = auth.group;
    const has = (area: string | null) =>
      auth.change(`update auth.user_entity set area_code = $1 where entity_code = 'E1'`, [area]);
    await auth.change(
      `insert into auth.area (group_id, code, entity_code, parent_code, name) values
        ($1, 'NORTE', 'E1', null, 'Norte'), ($1, 'PLANTA', 'E1', 'NORTE', 'Planta'), ($1, 'SUR', 'E1', null, 'Sur')`,
      [groupId],
    );
    await auth.change(`update auth.app_user set default_entity = 'E1', default_area = 'PLANTA'`);
    const begins = async () => (await me(await auth.logIn())).body;
    const started: unknown[] = [];
    for (const area of [null, 'NORTE', 'PLANTA', 'SUR']) {
      await has(area);
      started.push((await begins())['area_activa']);
    }
    // A start area outside of the user's own area is ignored: the session starts in the own area.
    expect(started).toEqual(['PLANTA', 'PLANTA', 'PLANTA', 'SUR']);
    await has(null);
    await auth.change(`update auth.app_user set default_area = null`);
    expect(await begins()).toMatchObject({ entidad_activa: 'E1', area_activa: null });
    await auth.change(`update auth.app_user set default_entity = null`);
  });

  it('only SYSTEM users change group; applications must be enabled', async () => {
    const token = await auth.logIn();
    const group = (code: string) => auth.ask('POST', '/auth/cambiar-grupo', { codigo_grupo: code }, { token });
    const application = (code: string) =>
      auth.ask('POST', '/auth/cambiar-aplicacion', { codigo_aplicacion: code }, { token });
    const other = '00000000-0000-7000-8000-00000000000b';
    await auth.database.write({ groupId: other }, async (tx) => {
      await tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, 'G2', 'Otro')`, [other]);
      await tx.query(`insert into auth.entity (group_id, code, name) values ($1, 'X1', 'Suya')`, [other]);
    });
    expect((await group('G1')).status).toBe(200);
    expect((await group('G2')).status).toBe(404);
    expect((await group('NO')).status).toBe(404);
    await auth.change(`update auth.user_role set role_id = 2`);
    expect(await group('G2')).toMatchObject({ status: 200, body: { grupo_activo: 'G2', entidad_activa: 'X1' } });
    expect((await me(token)).body).toMatchObject({ grupo_activo: 'G2', tipo_acceso: 'SISTEMA' });
    expect(await group('G1')).toMatchObject({ status: 200, body: { grupo_activo: 'G1', entidad_activa: 'E1' } });
    await auth.change(`update auth.user_role set role_id = 1`);
    expect((await application('NO')).status).toBe(404);
    expect((await application('web')).status + (await application('WEB')).status).toBe(604);
  });

  it('a client of the agent protocol learns how a key is sent', async () => {
    const { status, body } = await auth.ask('GET', '/.well-known/oauth-protected-resource/mcp');
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ resource: expect.stringMatching(/^https?:.+\/mcp$/) as string, resource_name: 'Acervo' },
      bearer_methods_supported: ['header'],
    });
  });

  it('a token that is not exactly genuine is refused', async () => {
    const token = await auth.logIn();
    const [head = '', body = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
    const { kid } = decodeProtectedHeader(token);
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    const { keys } = (await auth.ask('GET', '/.well-known/jwks.json')).body as { keys: { x: string }[] };
    const forged = (header: object, more: object = {}) =>
      new SignJWT({ ...claims, ...more })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt', ...header })
        .sign(privateKey);
    const secret = new TextEncoder().encode(keys[0]?.x);
    const forgeries = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid, typ: 'at+jwt' }).sign(secret),
      await forged({}),
      await forged({ kid: 'another' }),
      await forged({ jwk }),
      await forged({ jku: 'https://evil.example.test/jwks.json' }),
      `${head}.${Buffer.from(JSON.stringify({ ...claims, aal: 2 })).toString('base64url')}.${signature}`,
      `${head}.${body}.`,
      String((await logInAll())['refresh_token']),
    ];
    for (const forgery of forgeries) expect((await me(forgery)).status).toBe(401);
    expect((await me(token)).status).toBe(200);
  });

  it('the published key set contains the signing key of a token', async () => {
    const token = await auth.logIn();
    const { keys } = (await auth.ask('GET', '/.well-known/jwks.json')).body as { keys: { kid: string }[] };
    const { kid } = decodeProtectedHeader(token);
    const key = keys.find((one) => one.kid === kid);
    const { payload } = await jwtVerify(token, await importJWK({ ...key }, 'ES256'), {
      issuer: 'acervo',
      audience: 'acervo-api',
    });
    expect(payload).toMatchObject({ aal: 1, sid: expect.any(String) as string });
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });

  it('after five wrong passwords an account answers 429, except to known devices', async () => {
    const device =
      (await auth.ask('POST', '/auth/login', ADMIN, from('203.0.113.9'))).headers.get('x-device-token') ?? '';
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => auth.ask('POST', '/auth/login', wrong, from(`198.51.100.${index}`))),
    );
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
    const late = await auth.ask('POST', '/auth/login', ADMIN, from('203.0.113.9'));
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    const knownDevice = { headers: { 'x-forwarded-for': '203.0.113.9', 'x-device-token': device } };
    expect((await auth.ask('POST', '/auth/login', ADMIN, knownDevice)).status).toBe(200);
    const stranger = { headers: { 'x-forwarded-for': '203.0.113.9', 'x-device-token': `${device}x` } };
    expect((await auth.ask('POST', '/auth/login', ADMIN, stranger)).status).toBe(429);
  });

  it('addresses of one IPv6 network share one limit', async () => {
    const registration = { email: 'nadie@example.test', nombre: 'N', nombre_grupo: 'N' };
    const visit = async (address: string) =>
      (await auth.ask('POST', '/auth/registrar', registration, from(address))).status;
    const statuses: number[] = [];
    for (let host = 1; host <= 61; host += 1) statuses.push(await visit(`2001:db8:1:2::${host.toString(16)}`));
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(await visit('2001:db8:1:2:ffff::1')).toBe(429);
    expect(await visit('2001:db8:1:3::1')).toBe(200);
  });

  it('no spelling of an address has tries of its own', async () => {
    const email = 'josé.ibáñez@example.test';
    await auth.change(`insert into auth.app_user (group_id, email, name) values ($1, $2, 'José')`, [
      auth.group.groupId,
      email,
    ]);
    await auth.change(
      `insert into auth.user_role (group_id, user_id, role_id) select group_id, user_id, 3 from auth.app_user where email = $1`,
      [email],
    );
    await auth.change(
      `insert into auth.password (group_id, user_id, hash) select u.group_id, u.user_id, p.hash from auth.app_user u, auth.password p where u.email = $1`,
      [email],
    );
    const spellings = [email, email.toUpperCase(), email.normalize('NFD'), email.toUpperCase().normalize('NFD')];
    const from = (index: number) => ({ headers: { 'x-forwarded-for': `198.51.101.${index}` } });
    const logIn = async (spelling: string, password: string, index: number) =>
      (await auth.ask('POST', '/auth/login', { email: spelling, password }, from(index))).status;
    // The lower case of this letter depends on the locale of a database.
    const foreign = [email.replace('i', '\u0130'), email.toUpperCase().replace('I', '\u0130')];
    for (const spelling of foreign) expect(await logIn(spelling, ADMIN.password, 51)).toBe(401);
    const opened: number[] = [];
    for (const [index, spelling] of spellings.entries()) opened.push(await logIn(spelling, ADMIN.password, index));
    expect(opened).toEqual([200, 200, 200, 200]);
    const statuses: number[] = [];
    for (let index = 0; index < 24; index += 1)
      statuses.push(await logIn(spellings[index % spellings.length] ?? '', 'not this one', index));
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(19);
    for (const spelling of spellings) expect(await logIn(spelling, ADMIN.password, 50)).toBe(429);
  });
});
