import { until } from '@acervo/platform-testing';
import { ADMIN, RunningAuth } from './support/auth';
import { MailServer } from './support/mail-server';

const PAGE = 'http://acervo.example.test/auth/establecer-clave';
const registration = (email: string) => ({ email, nombre: 'Nueva Persona', nombre_grupo: 'Su organización' });

describe('mails with links', () => {
  const mail = new MailServer();
  let auth: RunningAuth;
  beforeAll(async () => {
    const url = await mail.start();
    auth = await RunningAuth.start({
      ACERVO_SMTP_URL: url,
      ACERVO_PUBLIC_URL: 'http://acervo.example.test',
      ACERVO_TRUSTED_PROXIES: '1',
    });
  });
  afterAll(async () => {
    await auth.close();
    await mail.stop();
  });
  afterEach(() => auth.database.ungrouped((tx) => tx.query('delete from auth.rate_count')));

  const post = (path: string, body: object) =>
    auth.ask('POST', `/auth/${path}`, body, {
      headers: { 'x-request-id': 'same', 'x-forwarded-host': 'evil.example.test', 'x-forwarded-proto': 'ftp' },
    });
  const set = (token: string, password: string) => post('establecer-clave', { token, password });
  const outboxIsEmpty = async (): Promise<void> => {
    const waiting = () => auth.database.ungrouped((tx) => tx.query('select from auth.mail_outbox'));
    await until('the mail outbox is empty', async () => (await waiting()).length === 0);
  };
  const user = (email: string, state: string) =>
    auth.change(
      `with made as (insert into auth.app_user (group_id, email, name, state, address_confirmed)
         values ($1, $2, 'Alguien', $3, $3 <> 'PENDIENTE') returning user_id)
       insert into auth.user_role (group_id, user_id, role_id) select $1, user_id, 3 from made`,
      [auth.group.groupId, email, state],
    );

  it('confirming a registration creates a group with its administrator', async () => {
    const answer = await post('registro', registration('nueva@example.test'));
    expect(answer.status).toBe(200);
    const { page, token } = await mail.link('nueva@example.test');
    expect(page).toBe(PAGE);
    expect((await set(token, 'corta')).status).toBe(422);
    const results = await Promise.all(Array.from({ length: 4 }, () => set(token, 'una clave muy suya')));
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422]);
    const session = await auth.logIn({ email: 'Nueva@example.test', password: 'una clave muy suya' });
    const { body } = await auth.ask('GET', '/auth/me', undefined, { token: session });
    expect(body).toMatchObject({
      rol_principal: 'SEG_ADMIN_GRUPO',
      nombre_grupo: 'Su organización',
      entidad_activa: 'E1',
    });
    expect(body['grupo_activo']).not.toBe('G1');
  });

  it('known, unknown, unconfirmed and disabled addresses get the same answer', async () => {
    await user('pendiente@example.test', 'PENDIENTE');
    await user('inactiva@example.test', 'INACTIVO');
    const emails = [ADMIN.email, 'nadie@example.test', 'pendiente@example.test', 'inactiva@example.test'];
    for (const path of ['recuperar-clave', 'reenviar-invitacion', 'registro', 'registrar']) {
      const answers = await Promise.all(
        emails.map((email) => post(path, path.startsWith('regist') ? registration(email) : { email })),
      );
      for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 200, body: answers[0]?.body });
    }
    await mail.mail(ADMIN.email);
    await mail.mail('pendiente@example.test');
    expect(mail.received.filter(({ to }) => to === 'inactiva@example.test')).toEqual([]);
  });

  it('a password link works once, for its purpose and user, ends sessions', async () => {
    await user('ana@example.test', 'PENDIENTE');
    await post('reenviar-invitacion', { email: 'ana@example.test' });
    const invitation = await mail.link('ana@example.test');
    expect((await set(invitation.token, 'primera clave de ana')).status).toBe(200);
    const before = await auth.logIn({ email: 'ana@example.test', password: 'primera clave de ana' });
    await post('recuperar-clave', { email: 'ana@example.test' });
    const recovery = await mail.link('ana@example.test');
    expect(recovery.page).toBe(PAGE);
    const swapped = recovery.token.replace(/^acp/, 'aci');
    expect((await set(swapped, 'segunda clave de ana')).status).toBe(422);
    expect((await set(invitation.token, 'segunda clave de ana')).status).toBe(422);
    expect((await set(recovery.token, 'segunda clave de ana')).status).toBe(200);
    expect((await set(recovery.token, 'tercera clave de ana')).status).toBe(422);
    expect((await auth.ask('GET', '/auth/me', undefined, { token: before })).status).toBe(401);
    await auth.logIn({ email: 'ana@example.test', password: 'segunda clave de ana' });
  });

  it('expired and replaced links and those of disabled users are refused', async () => {
    await user('luis@example.test', 'ACTIVO');
    await post('recuperar-clave', { email: 'luis@example.test' });
    const first = await mail.link('luis@example.test');
    await post('recuperar-clave', { email: 'luis@example.test' });
    const second = await mail.link('luis@example.test');
    expect((await set(first.token, 'una clave de luis')).status).toBe(422);
    await auth.change(`update auth.app_user set state = 'INACTIVO' where email = 'luis@example.test'`);
    expect((await set(second.token, 'una clave de luis')).status).toBe(422);
    await auth.change(`update auth.app_user set state = 'ACTIVO' where email = 'luis@example.test'`);
    await auth.change(`update auth.action_token set expires_at = now()`);
    expect((await set(second.token, 'una clave de luis')).status).toBe(422);
  });

  it('the password page allows only its own script', async () => {
    const { status, headers, body } = await auth.ask('GET', '/auth/establecer-clave');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'sha256-/);
    expect(String(body['text'])).toContain('<html lang="es">');
  });

  it('a person gets at most three mails in fifteen minutes', async () => {
    await user('eva@example.test', 'ACTIVO');
    for (let round = 0; round < 6; round += 1) await post('recuperar-clave', { email: 'eva@example.test' });
    await Promise.all([1, 2, 3].map(() => mail.mail('eva@example.test')));
    await outboxIsEmpty();
    expect(mail.received.filter(({ to }) => to === 'eva@example.test')).toEqual([]);
  });

  it('a mail that the server leaves unanswered delays no other mail', async () => {
    for (const email of ['lenta@example.test', 'pronta@example.test']) await user(email, 'ACTIVO');
    const answer = mail.slowDown('lenta@example.test');
    await post('recuperar-clave', { email: 'lenta@example.test' });
    await mail.mail('lenta@example.test');
    await post('recuperar-clave', { email: 'pronta@example.test' });
    await mail.mail('pronta@example.test');
    answer();
    await outboxIsEmpty();
  });

  it('a mailbox gets three invitations, whatever its subaddresses', async () => {
    const emails = ['', '+1', '+2', '+3', '+4'].map((part) => `olga${part}@example.test`);
    for (const email of emails) await user(email, 'PENDIENTE');
    await auth.database.ungrouped((tx) =>
      tx.query(`insert into auth.mail_outbox (kind, email, invited_to) select 'INVITACION', unnest($1::text[]), $2`, [
        emails,
        auth.group.groupId,
      ]),
    );
    await post('recuperar-clave', { email: 'nadie@example.test' });
    await outboxIsEmpty();
    expect(mail.received.filter(({ to }) => to.startsWith('olga'))).toHaveLength(3);
    mail.received.length = 0;
  });

  it('only a SYSTEM user completes an abandoned registration', async () => {
    await auth.database.ungrouped((tx) =>
      tx.query(
        `insert into auth.pending_registration (email, name, group_name, state, password_hash)
         values ('tarde@example.test', 'Tarde', 'Tardanza', 'MAIL_VALIDADO', 'x')`,
      ),
    );
    const token = await auth.logIn();
    const complete = () => auth.ask('POST', '/auth/completar-registros-validados', undefined, { token });
    expect((await complete()).status).toBe(403);
    await auth.change(`update auth.user_role set role_id = 2 where role_id = 1`);
    expect(await complete()).toMatchObject({ status: 200, body: { completados: 1, fallidos: 0 } });
    expect(await complete()).toMatchObject({ status: 200, body: { completados: 0, fallidos: 0 } });
    await auth.change(`update auth.user_role set role_id = 1 where role_id = 2`);
  });

  it('no table contains a token or a password', async () => {
    await post('recuperar-clave', { email: ADMIN.email });
    const { token } = await mail.link(ADMIN.email);
    const rows = await auth.change(`select t::text as row, encode(t.hash, 'escape') as hash from auth.action_token t`);
    const secret = token.slice(-27);
    expect(JSON.stringify(rows)).toContain('RECUPERACION');
    expect(JSON.stringify(rows)).not.toContain(secret);
    const [{ hash } = {}] = await auth.change(`select hash from auth.password`);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});
