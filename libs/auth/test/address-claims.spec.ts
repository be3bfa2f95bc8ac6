import { randomUUID } from 'node:crypto';
import { makeSystemUser } from '@acervo/contracts';
import { WorkScope } from '@acervo/rbac';
import { makeUser } from './people/support';
import { ADMIN, type Answer, RunningAuth } from './support/auth';
import { MailServer } from './support/mail-server';

const ASSIGNED = 'clave que puso un administrador';
const CHOSEN = 'clave que eligió su dueña';

describe('an address that several groups know', () => {
  const mail = new MailServer();
  let auth: RunningAuth;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    auth = await RunningAuth.start({ ACERVO_SMTP_URL: await mail.start(), ACERVO_TRUSTED_PROXIES: '1' });
    tokens['G1'] = await auth.logIn();
    for (const code of ['G2', 'G3']) tokens[code] = await administratorOf(code);
    await makeUser(auth, auth.group.groupId, 'system@example.test', 2);
    tokens['SYSTEM'] = await auth.logIn({ email: 'system@example.test', password: ADMIN.password });
  });
  afterAll(async () => {
    await auth.close();
    await mail.stop();
  });
  afterEach(() => auth.database.ungrouped((tx) => tx.query('delete from auth.rate_count')));

  const administratorOf = async (code: string): Promise<string> => {
    const groupId = randomUUID();
    await auth.database.write({ groupId }, (tx) =>
      tx.query(`insert into auth.tenant_group (group_id, code, name) values ($1, $2, $3)`, [groupId, code, `N${code}`]),
    );
    await makeUser(auth, groupId, `admin@${code.toLowerCase()}.test`, 1);
    return auth.logIn({ email: `admin@${code.toLowerCase()}.test`, password: ADMIN.password });
  };
  const as = (caller: string, method: string, path: string, body?: object): Promise<Answer> =>
    auth.ask(method, path, body, { token: tokens[caller] ?? '' });
  const create = (group: string, codigo: string, password?: string): Promise<Answer> =>
    as(group, 'POST', '/usuarios', {
      codigo,
      nombre: group,
      id_rol: 3,
      ...(password === undefined ? {} : { password }),
    });
  const post = (path: string, body: object): Promise<Answer> => auth.ask('POST', `/auth/${path}`, body);
  const logIn = (email: string, password: string): Promise<Answer> => post('login', { email, password });
  const groupOf = async (email: string, password: string): Promise<unknown> => {
    const { body } = await logIn(email, password);
    const token = String(body['access_token']);
    return (await auth.ask('GET', '/auth/me', undefined, { token })).body['grupo_activo'];
  };
  const setBy = (token: string, password: string): Promise<Answer> => post('establecer-clave', { token, password });
  const linksTo = async (email: string): Promise<readonly string[]> =>
    [...(await mail.mail(email)).text.matchAll(/http:\S+#(\w+)/g)].map(([, token = '']) => token);
  const reasonOf = ({ status, body }: Answer): unknown => [status, (body['detalles'] as { motivo?: unknown }).motivo];

  it('unconfirmed accounts of one address sign in to their own groups', async () => {
    const email = 'bea@example.test';
    expect((await create('G2', email, `${ASSIGNED} 2`)).status).toBe(201);
    expect((await create('G3', email, `${ASSIGNED} 3`)).status).toBe(201);
    expect(reasonOf(await create('G3', email))).toEqual([409, 'USER_EXISTS']);
    expect(await groupOf(email, `${ASSIGNED} 2`)).toBe('G2');
    expect(await groupOf(email, `${ASSIGNED} 3`)).toBe('G3');
    expect((await logIn(email, CHOSEN)).status).toBe(401);
  });

  it('a registration takes the address from an unconfirmed account', async () => {
    const email = 'carla@example.test';
    await create('G2', email, ASSIGNED);
    await post('registro', { email, nombre: 'Carla', nombre_grupo: 'Suyo' });
    const [token = ''] = await linksTo(email);
    expect((await logIn(email, ASSIGNED)).status).toBe(200);
    expect((await setBy(token, CHOSEN)).status).toBe(200);
    expect((await logIn(email, ASSIGNED)).status).toBe(401);
    expect(await groupOf(email, CHOSEN)).not.toBe('G2');
    expect(reasonOf(await create('G3', email))).toEqual([409, 'USER_EXISTS']);
  });

  it('a registration has the states and initial roles of the contract', async () => {
    const email = 'diana@example.test';
    const states = () =>
      auth.database.ungrouped((tx) =>
        tx.query(`select state, password_hash from auth.pending_registration where email = $1`, [email]),
      );
    await post('registro', { email, nombre: 'Diana', nombre_grupo: 'Suyo' });
    const [token = ''] = await linksTo(email);
    expect(await states()).toEqual([{ state: 'PENDIENTE', password_hash: null }]);
    await setBy(token, CHOSEN);
    expect(await states()).toEqual([{ state: 'CREACION_SEMILLA', password_hash: null }]);
    const session = await auth.logIn({ email, password: CHOSEN });
    const roles = await auth.ask('GET', `/usuarios/${email}/roles`, undefined, { token: session });
    expect(roles.body['items']).toMatchObject([
      { codigo_rol: 'SEG_ADMIN_GRUPO', principal: true },
      { codigo_rol: 'USUARIO', principal: false },
    ]);
  });

  it('the first confirmed invitation wins; the link of another group is refused', async () => {
    const email = 'elena@example.test';
    await create('G2', email);
    const [first = ''] = await linksTo(email);
    await create('G3', email);
    const [second = ''] = await linksTo(email);
    expect((await setBy(second, CHOSEN)).status).toBe(200);
    expect(reasonOf(await setBy(first, CHOSEN))).toEqual([409, 'ADDRESS_CONFIRMED']);
    expect(await groupOf(email, CHOSEN)).toBe('G3');
  });

  it('a mail names every account that the address may confirm', async () => {
    const email = 'flora@example.test';
    await create('G2', email, ASSIGNED);
    await create('G3', email, ASSIGNED);
    await post('recuperar-clave', { email });
    const { text } = await mail.mail(email);
    expect(text).toMatch(/NG2:\s+http:\S+#acp_[^]+NG3:\s+http:\S+#acp_/);
  });

  it('a SYSTEM user releases an address; its account then loses it', async () => {
    const email = 'gala@example.test';
    await create('G2', email);
    const [token = ''] = await linksTo(email);
    await setBy(token, CHOSEN);
    expect(reasonOf(await create('G3', email, ASSIGNED))).toEqual([409, 'USER_EXISTS']);
    const release = (caller: string) => as(caller, 'POST', `/usuarios/${email}/liberar-correo`);
    expect((await release('G2')).status).toBe(403);
    expect(await release('SYSTEM')).toMatchObject({ status: 200, body: { codigo: email, liberado: true } });
    expect((await release('SYSTEM')).body).toMatchObject({ liberado: false });
    expect(await groupOf(email, CHOSEN)).toBe('G2');
    expect((await create('G3', email)).status).toBe(201);
    const [other = ''] = await linksTo(email);
    expect((await setBy(other, `${CHOSEN} otra vez`)).status).toBe(200);
    expect((await logIn(email, CHOSEN)).status).toBe(401);
    expect(await groupOf(email, `${CHOSEN} otra vez`)).toBe('G3');
  });

  it('an unconfirmed SYSTEM user awaits a link, despite a password', async () => {
    const email = 'hilda@example.test';
    await create('G1', email, ASSIGNED);
    const scope = new WorkScope(auth.group.groupId, 'standalone', 'test');
    expect(await auth.calls.send(makeSystemUser, scope, { email })).toMatchObject({ state: 'PENDIENTE' });
    expect((await logIn(email, ASSIGNED)).status).toBe(401);
  });
});

describe('an installation without registration', () => {
  it('a registration is refused by name and stores nothing', async () => {
    const auth = await RunningAuth.start({ ACERVO_REGISTRATION: 'false' });
    try {
      const body = { email: 'ida@example.test', nombre: 'Ida', nombre_grupo: 'Suyo' };
      const { status, body: answer } = await auth.ask('POST', '/auth/registro', body);
      expect([status, String(answer['mensaje'])]).toEqual([403, expect.stringContaining('El registro está cerrado')]);
      expect(await auth.database.ungrouped((tx) => tx.query(`select from auth.mail_outbox`))).toEqual([]);
    } finally {
      await auth.close();
    }
  });
});
