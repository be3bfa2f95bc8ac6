import { type Credential, verifyCredential } from '@acervo/contracts';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { until } from '@acervo/platform-testing';
import { anonymous } from '@acervo/rbac';
import { ADMIN, RunningAuth } from './support/auth';

const USER = { email: 'uno@example.test', password: 'una clave de usuario' } as const;

/** Every route of authentication, with a body that its schema accepts. */
const PAIRS: readonly (readonly [string, string, object?])[] = [
  ['POST', '/auth/login', ADMIN],
  ['POST', '/auth/logout'],
  ['GET', '/auth/me'],
  ['POST', '/auth/cambiar-entidad', { codigo_entidad: 'E1' }],
  ['POST', '/auth/cambiar-grupo', { codigo_grupo: 'G1' }],
  ['POST', '/auth/cambiar-aplicacion', { codigo_aplicacion: 'web' }],
  ['POST', '/auth/registro', { email: 'x@example.test', nombre: 'X', nombre_grupo: 'X' }],
  ['POST', '/auth/reenviar-invitacion', { email: 'x@example.test' }],
  ['POST', '/auth/registrar', { email: 'x@example.test', nombre: 'X', nombre_grupo: 'X' }],
  ['POST', '/auth/completar-registros-validados'],
  ['GET', '/auth/api-key'],
  ['POST', '/auth/api-key', { nombre: 'clave' }],
  ['DELETE', '/auth/api-key/:prefijo'],
  ['POST', '/auth/recuperar-clave', { email: 'x@example.test' }],
  ['POST', '/auth/mfa/enroll'],
  ['POST', '/auth/mfa/challenge'],
  [
    'POST',
    '/auth/mfa/verify',
    {
      factor_id: '00000000-0000-4000-8000-000000000000',
      challenge_id: '00000000-0000-4000-8000-000000000000',
      code: '000000',
    },
  ],
  ['POST', '/auth/mfa/unenroll', { factor_id: '00000000-0000-4000-8000-000000000000' }],
  ['GET', '/auth/mfa/factors'],
  ['GET', '/auth/establecer-clave'],
  ['POST', '/auth/establecer-clave', { token: 'x', password: 'x' }],
  ['POST', '/auth/refrescar', { refresh_token: 'x' }],
  ['GET', '/.well-known/jwks.json'],
  ['GET', '/.well-known/oauth-protected-resource/mcp'],
];
const OPEN = /login|registr[oa]r?$|reenviar|recuperar|establecer|refrescar|well-known/;
const CLOSED = PAIRS.filter(([, path]) => !OPEN.test(path));
const named = (pairs: typeof PAIRS) => pairs.map(([method, path, body]) => ({ method, path, body }));

describe('the routes of authentication', () => {
  let auth: RunningAuth;
  let admin: string;
  let user: string;

  beforeAll(async () => {
    auth = await RunningAuth.start();
    admin = await auth.logIn();
    const made = await auth.ask(
      'POST',
      '/usuarios',
      { codigo: USER.email, nombre: 'Uno', password: USER.password, id_rol: 3 },
      { token: admin },
    );
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    user = await auth.logIn(USER);
  });
  afterAll(() => auth.close());

  const create = (token: string, body: object) => auth.ask('POST', '/auth/api-key', body, { token });
  const list = async (token: string) =>
    (
      (await auth.ask('GET', '/auth/api-key', undefined, { token })).body['items'] as {
        prefijo: string;
        nombre: string;
      }[]
    ).map(({ nombre }) => nombre);
  const revoke = (token: string, prefix: unknown) =>
    auth.ask('DELETE', `/auth/api-key/${String(prefix)}`, undefined, { token });
  const verify = (bearer: unknown) => {
    const credential: Credential = { bearer: String(bearer) };
    return auth.callsOf('gateway').send(verifyCredential, anonymous, credential);
  };

  it('the routes are those of the contract and five more', () => {
    const controllers = [...auth.service.app.get(ModulesContainer).values()].flatMap((module) => [
      ...module.controllers.values(),
    ]);
    const served = controllers.flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const prototype = metatype.prototype as Record<string, object>;
      const base = String(Reflect.getMetadata('path', metatype));
      return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
        const method: unknown = Reflect.getMetadata('method', prototype[name] ?? {});
        const path = String(Reflect.getMetadata('path', prototype[name] ?? {}));
        return method === undefined
          ? []
          : [`${['GET', 'POST', 'PUT', 'DELETE'][Number(method)]} /${base}${path === '/' ? '' : `/${path}`}`];
      });
    });
    const ours = served.filter((pair) => / \/(auth|\.well-known)/.test(pair)).toSorted();
    expect(ours).toEqual(PAIRS.map(([method, path]) => `${method} ${path}`).toSorted());
  });

  it.each(named(PAIRS))('an API key is refused at $method $path', async ({ method, path, body }) => {
    const { status, body: problem } = await auth.ask(method, path.replace(':prefijo', 'x'), body, {
      token: auth.group.apiKey ?? '',
    });
    expect({ status, problem }).toMatchObject({
      status: 403,
      problem: { codigo: 'FORBIDDEN', mensaje: 'Una clave de API solo puede operar a través de la API pública /v1.' },
    });
  });

  it.each(named(CLOSED))('$method $path without a valid token is refused', async ({ method, path, body }) => {
    for (const options of [{}, { token: 'no.token.at-all' }])
      expect((await auth.ask(method, path.replace(':prefijo', 'x'), body, options)).status).toBe(401);
  });

  it('unknown fields are refused, and the answer only counts them', async () => {
    for (const [method, path, body] of PAIRS.filter(([, , sample]) => sample !== undefined)) {
      const answer = await auth.ask(method, path, { ...body, canary9431: 1 }, OPEN.test(path) ? {} : { token: admin });
      expect({ path, status: answer.status }).toEqual({ path, status: 422 });
      expect(JSON.stringify(answer.body)).not.toContain('canary9431');
    }
  });

  it('a key is shown once, listed by public name, useless once revoked', async () => {
    const { status, body } = await create(user, { nombre: 'mía' });
    expect(status).toBe(200);
    expect((await verify(body['api_key'])).claims).toMatchObject({ userCode: USER.email, profile: 'USUARIO' });
    expect(await list(user)).toEqual(['mía']);
    expect(await list(admin)).toEqual(expect.arrayContaining(['mía', 'Primera clave']));
    expect((await revoke(user, body['prefijo'])).status).toBe(200);
    await expect(verify(body['api_key'])).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await revoke(user, body['prefijo'])).status).toBe(404);
    expect(await list(user)).toEqual([]);
  });

  it('a key that a service verifies shows the day of its use', async () => {
    const { body } = await create(user, { nombre: 'con uso' });
    expect(body).toMatchObject({ fecha_ultimo_uso: null });
    const lastUse = async () => {
      const { body: listed } = await auth.ask('GET', '/auth/api-key', undefined, { token: user });
      return (listed['items'] as { fecha_ultimo_uso: unknown }[])[0]?.fecha_ultimo_uso;
    };
    expect(await lastUse()).toBeNull();
    await verify(body['api_key']);
    await until('the use is noted', async () => /^\d{4}-\d\d-\d\d$/.test(String(await lastUse())));
    await revoke(user, body['prefijo']);
  });

  it('an administrator manages every key, a user only their own', async () => {
    const made = await create(admin, { nombre: 'para uno', codigo_usuario_destino: USER.email });
    expect(made).toMatchObject({ status: 200, body: { codigo_usuario: USER.email, rol: 'USUARIO' } });
    expect((await create(user, { nombre: 'x', codigo_usuario_destino: ADMIN.email })).status).toBe(403);
    expect((await create(admin, { nombre: 'x', codigo_usuario_destino: 'nadie@example.test' })).status).toBe(404);
    expect((await create(user, { nombre: 'x', rol_solicitado: 'SEG_ADMIN_GRUPO' })).status).toBe(404);
    const ownKey = await create(admin, { nombre: 'del admin' });
    expect((await revoke(user, ownKey.body['prefijo'])).status).toBe(404);
    expect((await revoke(user, 'no-hay-tal')).status).toBe(404);
    expect((await revoke(admin, made.body['prefijo'])).status).toBe(200);
  });

  it('a key is fixed only to entities and areas of its owner', async () => {
    const group = auth.group.groupId;
    await auth.change(`insert into auth.entity (group_id, code, name) values ($1, 'E7', 'Otra')`, [group]);
    await auth.change(
      `insert into auth.area (group_id, code, entity_code, name) values ($1, 'A1', 'E1', 'A'), ($1, 'A7', 'E7', 'B')`,
      [group],
    );
    const fixed = await create(admin, { nombre: 'fija', codigo_entidad: 'E1', codigo_area: 'A1' });
    expect((await verify(fixed.body['api_key'])).claims).toMatchObject({
      activeEntity: 'E1',
      authorizedAreaRoot: 'A1',
    });
    for (const more of [
      { codigo_entidad: 'E7' },
      { codigo_area: 'A7' },
      { codigo_entidad: 'NO' },
      { codigo_entidad: 'E1', codigo_area: 'A7' },
    ])
      expect((await create(admin, { nombre: 'x', ...more })).status).toBe(404);
  });

  it('a key stops working while its creator is disabled', async () => {
    const { body } = await create(admin, { nombre: 'de otro', codigo_usuario_destino: USER.email });
    const disable = (state: string) =>
      auth.change(`update auth.app_user set state = $1 where email = $2`, [state, ADMIN.email]);
    await disable('INACTIVO');
    await expect(verify(body['api_key'])).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await disable('ACTIVO');
    await verify(body['api_key']);
  });

  it('a list that cannot show every key is refused', async () => {
    const fill = `insert into auth.api_key (group_id, key_id, user_id, role_id, name, created_by, pepper_version, secret_hash)
      select group_id, 'lista-' || n, user_id, 3, 'lista', user_id, 1, '\\x00'
      from auth.app_user, generate_series(1, 10001) n where group_id = $1 and email = $2`;
    await auth.change(fill, [auth.group.groupId, USER.email]);
    const listed = await auth.ask('GET', '/auth/api-key', undefined, { token: admin });
    expect([listed.status, listed.body]).toMatchObject([409, { detalles: { motivo: 'TOO_MANY_KEYS' } }]);
    await auth.change(`delete from auth.api_key where name = 'lista'`);
    expect((await auth.ask('GET', '/auth/api-key', undefined, { token: admin })).status).toBe(200);
  });
});
