import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode, makeSystemUser, provisionFirstGroup, revive, RoleRecord } from '@acervo/contracts';
import { until } from '@acervo/platform-testing';
import { anonymous, WorkScope } from '@acervo/rbac';
import { ADMIN } from '../support/auth';
import { People } from './support';

let people: People;
beforeAll(async () => {
  people = await People.open();
});
afterAll(() => people.close());

const reason = ({ status, body }: Awaited<ReturnType<People['as']>>): unknown => [
  status,
  (body['detalles'] as Record<string, unknown> | undefined)?.['motivo'],
];
const made = async (email: string, roleId = 3): Promise<string> => {
  await people.user(email, roleId);
  return people.auth.logIn({ email, password: ADMIN.password });
};
const roles = (email: string) => people.as('admin', 'GET', `/usuarios/${email}/roles`);

describe('an unpaged list of users', () => {
  const fill = (users: number): Promise<unknown> =>
    people.auth.change(
      `insert into auth.app_user (group_id, email, name) select $1, 'lista-' || n || '@example.test', 'Lista'
       from generate_series(1, $2::int) n`,
      [people.auth.group.groupId, users],
    );
  afterAll(() => people.auth.change(`delete from auth.app_user where name = 'Lista'`));

  it.each(['/usuarios', '/usuarios/todos'])('%s refuses what it cannot show whole', async (path) => {
    if (path === '/usuarios') await fill(5_000);
    expect(reason(await people.as('system', 'GET', path))).toEqual([409, 'TOO_MANY_TO_LIST']);
    const narrowed = await people.as('system', 'GET', `${path}?q=lista-499`);
    expect(narrowed.body['items']).toHaveLength(11);
    const paged = await people.as('system', 'GET', `${path}/paginado?q=lista-&limit=10`);
    expect(paged.body).toMatchObject({ total: 5_000 });
  });
});

describe('a protected role', () => {
  it.each(['admin@example.test', 'system@example.test'])(
    'no caller deletes %s, who has a protected role',
    async (email) => {
      for (const caller of ['admin', 'system'] as const) {
        const answer = await people.as(caller, 'DELETE', `/usuarios/${email}`);
        expect(reason(answer)).toEqual([409, 'USER_PROTECTED']);
        expect(answer.body['mensaje']).toContain('rol protegido');
      }
      expect((await people.as('admin', 'GET', `/usuarios/${email}/preview-eliminar`)).body).toMatchObject({
        bloqueado: true,
      });
    },
  );
  it.each([
    ['admin@example.test', 1],
    ['system@example.test', 2],
  ])('no caller takes a protected role from %s', async (email, roleId) => {
    for (const caller of ['admin', 'system'] as const) {
      const gone = await people.as(caller, 'DELETE', `/usuarios/${email}/roles/${roleId}`);
      expect(reason(gone)).toEqual([409, 'ROLE_PROTECTED']);
      const other = await people.as(caller, 'DELETE', `/funciones/MANAGE_USERS/roles/${roleId}`);
      expect(other.status).toBe(caller === 'admin' ? 403 : 200);
      if (caller === 'system') await people.as('system', 'POST', '/funciones/MANAGE_USERS/roles', { id_rol: roleId });
    }
    expect((await people.as('system', 'DELETE', `/roles/${roleId}`)).status).toBe(409);
  });
  it('no route assigns the role SISTEMA', async () => {
    await people.user('climber@example.test', 3);
    const give = (caller: 'admin' | 'system') =>
      people.as(caller, 'POST', '/usuarios/climber@example.test/roles', { id_rol: 2 });
    expect((await give('admin')).status).toBe(403);
    expect(reason(await give('system'))).toEqual([409, 'ROLE_BY_COMMAND']);
    const draft = { codigo: 'born@example.test', nombre: 'Born', id_rol: 2 };
    expect((await people.as('system', 'POST', '/usuarios', draft)).status).toBe(409);
    expect((await people.as('system', 'GET', '/usuarios/born@example.test')).status).toBe(404);
  });
});

describe('an administrator', () => {
  it('an administrator cannot change a SYSTEM user', async () => {
    const answers = [
      await people.as('admin', 'PUT', '/usuarios/system@example.test', { estado: 'INACTIVO' }),
      await people.as('admin', 'POST', '/usuarios/system@example.test/roles', { id_rol: 3 }),
      await people.as('admin', 'POST', '/usuarios/system@example.test/entidades', { codigo_entidad: 'E1' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
  it('an administrator cannot disable the own account', async () => {
    expect(reason(await people.as('admin', 'PUT', '/usuarios/admin@example.test', { estado: 'INACTIVO' }))).toEqual([
      409,
      'SELF_DISABLED',
    ]);
  });
  it('an administrator cannot change what belongs to all groups', async () => {
    const answers = [
      await people.as('admin', 'PUT', '/roles/3', { nombre: 'Mío' }),
      await people.as('admin', 'DELETE', '/roles/3'),
      await people.as('admin', 'POST', '/roles/3/funciones', { codigo_funcion: 'MANAGE_USERS' }),
      await people.as('admin', 'PUT', '/roles/orden', [{ id_rol: 3, orden: 1 }]),
      await people.as('admin', 'POST', '/roles', { codigo: 'GLOBAL', nombre: 'Global', tipo_acceso: 'USUARIO' }),
      await people.as('admin', 'POST', '/roles/3/generar-md'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  });
  it.each([
    ['POST', '/roles', { codigo: 'X', nombre: 'X', tipo_acceso: 'USUARIO', codigo_grupo: 'G2' }],
    ['POST', '/roles/copiar', { id_rol: 3, codigo_grupo: 'G2' }],
    ['POST', '/usuarios/user@example.test/roles', { id_rol: 4, codigo_grupo: 'G2' }],
    ['GET', '/roles?codigo_grupo=G2', undefined],
    ['GET', '/funciones?grupo=G2', undefined],
    ['GET', '/usuarios/user@example.test/entidades?codigo_grupo=G2', undefined],
  ])('another group in %s %s answers an administrator as a missing one', async (method, path, body) => {
    const nowhere = JSON.parse((JSON.stringify(body) ?? 'null').replace('G2', 'G9')) as unknown;
    const there = await people.as('admin', method, path, body);
    const absent = await people.as('admin', method, path.replace('G2', 'G9'), nowhere ?? undefined);
    expect([there.status, { ...there.body, id_solicitud: '' }]).toEqual([404, { ...absent.body, id_solicitud: '' }]);
  });
  it('duplicates are refused as conflicts, across groups too', async () => {
    const role = { codigo: 'DOBLE', nombre: 'Doble', tipo_acceso: 'USUARIO', codigo_grupo: 'G1' };
    expect((await people.as('admin', 'POST', '/roles', role)).status).toBe(201);
    const twice = [
      await people.as('admin', 'POST', '/roles', role),
      await people.as('admin', 'POST', '/roles', { ...role, codigo: 'SEG_ADMIN_GRUPO' }),
      await people.as('admin', 'POST', '/usuarios', { codigo: 'USER@example.test', nombre: 'User' }),
      await people.as('admin', 'POST', '/usuarios', { codigo: 'admin@other.test', nombre: 'Other' }),
      await people.as('admin', 'POST', '/usuarios/user@example.test/roles', { id_rol: 3 }),
    ];
    expect(twice.map(reason)).toEqual([
      [409, 'ROLE_EXISTS'],
      [409, 'ROLE_EXISTS'],
      [409, 'USER_EXISTS'],
      [409, 'USER_EXISTS'],
      [409, 'ROLE_HELD_ALREADY'],
    ]);
  });
  it('a role with users is not deleted', async () => {
    const copy = await people.as('admin', 'POST', '/roles/copiar', {
      id_rol: 3,
      codigo_grupo: 'G1',
      codigo: 'PRESTADO',
    });
    const path = `/roles/${String(copy.body['id_rol'])}`;
    await people.as('admin', 'POST', '/usuarios/user@example.test/roles', { id_rol: copy.body['id_rol'] });
    const refused = await people.as('admin', 'DELETE', path);
    expect([reason(refused), refused.body['detalles']]).toEqual([
      [409, 'ROLE_STILL_HELD'],
      { motivo: 'ROLE_STILL_HELD', usuarios: 1 },
    ]);
    await people.as('admin', 'DELETE', `/usuarios/user@example.test${path}`);
    expect((await people.as('admin', 'DELETE', path)).status).toBe(200);
  });
});

describe('a change of access', () => {
  it('a withdrawn role loses its rights on the next request', async () => {
    const token = await made('short@example.test', 4);
    await people.as('admin', 'POST', '/usuarios/short@example.test/roles', { id_rol: 3 });
    const me = () => people.auth.ask('GET', '/auth/me', undefined, { token });
    expect((await me()).body).toMatchObject({ rol_principal: 'USUARIO_FINAL' });
    await people.as('admin', 'PUT', '/usuarios/short@example.test/roles/orden', [{ id_rol: 3, orden: 1 }]);
    expect((await me()).body).toMatchObject({ rol_principal: 'USUARIO' });
    await people.as('admin', 'DELETE', '/usuarios/short@example.test/roles/3');
    await people.as('admin', 'DELETE', '/usuarios/short@example.test/roles/4');
    expect((await me()).status).toBe(401);
    expect((await roles('short@example.test')).body['items']).toEqual([]);
  });
  it.each([
    ['disabled', (email: string) => people.as('admin', 'PUT', `/usuarios/${email}`, { estado: 'INACTIVO' })],
    ['deleted', (email: string) => people.as('admin', 'DELETE', `/usuarios/${email}`)],
  ])('sessions and logins end when the user is %s', async (word, change) => {
    const email = `${word}@example.test`;
    const token = await made(email);
    expect((await people.auth.ask('GET', '/auth/me', undefined, { token })).status).toBe(200);
    expect((await change(email)).status).toBe(200);
    expect((await people.auth.ask('GET', '/auth/me', undefined, { token })).status).toBe(401);
    const login = await people.auth.ask('POST', '/auth/login', { email, password: ADMIN.password });
    expect(login.status).toBe(401);
  });
  it('a user created without a password gets an invitation after the commit', async () => {
    await people.as('admin', 'POST', '/usuarios', {
      codigo: 'guest@example.test',
      nombre: 'Guest',
      id_rol: 3,
      entidades: ['E1'],
    });
    const waiting = () => people.auth.database.ungrouped((tx) => tx.query('select from auth.mail_outbox'));
    await until('the mail outbox is empty', async () => (await waiting()).length === 0);
    const mails = readdirSync(people.auth.mailDirectory).map((name) =>
      readFileSync(join(people.auth.mailDirectory, name), 'utf8'),
    );
    expect(mails.filter((mail) => mail.includes('guest@example.test'))).toHaveLength(1);
    expect((await people.as('admin', 'GET', '/usuarios/guest@example.test/entidades')).body['items']).toHaveLength(1);
  });
  it('a group sends 1,000 invitations a day at most', async () => {
    const sent = (hits: number): Promise<unknown> =>
      people.auth.database.ungrouped((tx) =>
        tx.query(
          `insert into auth.rate_count (name, hits, admitted, expires_at)
           values ($1, array_fill(now(), array[$2::int]), true, now() + interval '1 day')
           on conflict (name) do update set hits = excluded.hits`,
          [`invitations:${people.auth.group.groupId}`, hits],
        ),
      );
    const invite = (codigo: string, more: object = {}) =>
      people.as('admin', 'POST', '/usuarios', { codigo, nombre: 'Invitada', id_rol: 3, entidades: ['E1'], ...more });
    await sent(999);
    expect((await invite('user@example.test')).status).toBe(409);
    expect((await invite('invitada-1@example.test')).status).toBe(201);
    const refused = await invite('invitada-2@example.test');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 3_600]).toEqual([429, true]);
    expect((await invite('invitada-2@example.test', { password: 'una clave que eligió otra' })).status).toBe(201);
    await sent(0);
  });
});

describe('a SYSTEM user', () => {
  it('a compiled document of a product role is Spanish inside and English in public', async () => {
    const compiled = await people.as('system', 'POST', '/roles/4/generar-md');
    expect(compiled.body['documento_md']).toMatch(/^# Usuario final\n[\s\S]+## Funciones\n\n- \*\*Asistente\*\*/);
    const made = await people.as('admin', 'POST', '/roles', {
      ...{ codigo: 'PROPIO', nombre: 'Propio', tipo_acceso: 'USUARIO', codigo_grupo: 'G1' },
    });
    const path = `/roles/${String(made.body['id_rol'])}`;
    const { body: ofGroup } = await people.as('admin', 'POST', `${path}/generar-md`);
    const { body: role } = await people.as('admin', 'GET', '/roles/4');
    const { body: ownRole } = await people.as('admin', 'GET', path);
    const inPublic = (record: object) => encode(RoleRecord, revive(RoleRecord, record), 'public')['document'];
    expect(inPublic(role)).toMatch(/^# Final user\n[\s\S]+## Functions\n\n- \*\*Assistant\*\*/);
    expect(inPublic(role)).toContain('- Code: FINAL\\_USER\n- Access level: user\n');
    expect(inPublic(ownRole)).toBe(ofGroup['documento_md']);
    await people.as('admin', 'DELETE', path);
  });
  it('a SYSTEM user lists people of all groups by page', async () => {
    const first = await people.as('system', 'GET', '/usuarios/todos/paginado?q=ADMIN&limit=1');
    const second = await people.as('system', 'GET', '/usuarios/todos/paginado?q=ADMIN&limit=1&page=2');
    const groups = [first, second].map(({ body }) => (body['items'] as { codigo_grupo: string }[])[0]?.codigo_grupo);
    expect([first.body['total'], groups.toSorted()]).toEqual([2, ['G1', 'G2']]);
  });
  it('a SYSTEM user acts in a group that it names', async () => {
    const copied = await people.as('system', 'POST', '/roles/copiar', {
      id_rol: 3,
      codigo_grupo: 'G2',
      codigo: 'TRAIDO',
    });
    expect([copied.status, copied.body['codigo_grupo']]).toEqual([201, 'G2']);
    const assigned = await people.as('system', 'POST', '/usuarios/admin@other.test/roles', {
      id_rol: copied.body['id_rol'],
      codigo_grupo: 'G2',
    });
    expect(assigned).toMatchObject({
      status: 201,
      body: { codigo_rol: 'TRAIDO', codigo_grupo: 'G2', principal: false },
    });
    const functions = await people.as('other', 'GET', `/roles/${String(copied.body['id_rol'])}/funciones`);
    expect((functions.body['items'] as { codigo: string }[]).map(({ codigo }) => codigo)).toContain('DOCUMENTS');
    const gone = await people.as(
      'system',
      'DELETE',
      `/usuarios/admin@other.test/roles/${String(copied.body['id_rol'])}?codigo_grupo=G2`,
    );
    expect(gone.status).toBe(200);
  });
  it("a SYSTEM user's global change is visible in every group", async () => {
    const role = await people.as('system', 'POST', '/roles', {
      codigo: 'COMUN',
      nombre: 'Común',
      tipo_acceso: 'USUARIO',
    });
    expect(role).toMatchObject({ status: 201, body: { es_global: true, codigo_grupo: null } });
    const id = String(role.body['id_rol']);
    expect(Number(id)).toBeGreaterThanOrEqual(100);
    expect((await people.as('system', 'POST', `/roles/${id}/funciones`, { codigo_funcion: 'DOCUMENTS' })).status).toBe(
      201,
    );
    expect((await people.as('other', 'GET', `/roles/${id}`)).body).toMatchObject({ codigo: 'COMUN' });
    const document = await people.as('system', 'POST', `/roles/${id}/generar-md`);
    expect(document.body['documento_md']).toContain('# Común');
    expect((await people.as('other', 'GET', `/roles/${id}`)).body).toMatchObject({
      documento_md: document.body['documento_md'],
    });
    expect((await people.as('system', 'DELETE', `/roles/${id}`)).status).toBe(200);
    expect((await people.as('other', 'GET', `/roles/${id}`)).status).toBe(404);
    expect(reason(await people.as('system', 'DELETE', '/funciones/DOCUMENTS'))).toEqual([409, 'FUNCTION_BUILT_IN']);
  });
  it('changing the default group sets its role and clears the rest', async () => {
    const owned = await people.as('other', 'POST', '/roles', {
      codigo: 'PRIMERO',
      nombre: 'Primero',
      tipo_acceso: 'USUARIO',
      codigo_grupo: 'G2',
    });
    await people.as('other', 'PUT', '/roles/orden', [{ id_rol: owned.body['id_rol'], orden: 0 }]);
    const moved = await people.as('system', 'PUT', '/usuarios/cambiar-grupo', { codigo_grupo: 'G2' });
    expect(moved).toMatchObject({
      status: 200,
      body: {
        codigo_grupo: 'G2',
        rol_principal: 'PRIMERO',
        entidad_predeterminada: null,
        aplicacion_predeterminada: null,
      },
    });
    const token = await people.auth.logIn({ email: 'system@example.test', password: ADMIN.password });
    expect((await people.auth.ask('GET', '/auth/me', undefined, { token })).body).toMatchObject({
      grupo_activo: 'G2',
      tipo_acceso: 'SISTEMA',
    });
    const back = await people.auth.ask('PUT', '/usuarios/cambiar-grupo', { codigo_grupo: 'G1' }, { token });
    expect(back).toMatchObject({ status: 200, body: { codigo_grupo: 'G1' } });
  });
  it('a command creates a SYSTEM user, new or from an existing one', async () => {
    const { groupId } = await people.auth.calls.send(provisionFirstGroup, anonymous, {
      groupName: 'x',
      administrator: ADMIN.email,
    });
    const scope = new WorkScope(groupId, 'standalone', 'test');
    const make = (email: string) => people.auth.calls.send(makeSystemUser, scope, { email });
    expect(await make('root@example.test')).toMatchObject({ created: true, state: 'PENDIENTE' });
    await people.user('risen@example.test', 3);
    expect(await make('Risen@example.test')).toMatchObject({ created: false, state: 'ACTIVO' });
    expect((await roles('risen@example.test')).body['items']).toMatchObject([
      { codigo_rol: 'SISTEMA', principal: true },
      { codigo_rol: 'USUARIO' },
    ]);
  });
});
