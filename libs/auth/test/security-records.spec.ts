import { ADMIN, type Answer, RunningAuth } from './support/auth';

const EMAIL = 'objeto@example.test';

interface Line {
  readonly security?: string;
  readonly account?: string;
  readonly address?: string;
}

describe('records of who did what to whom', () => {
  const lines: string[] = [];
  let auth: RunningAuth;
  let token: string;

  beforeAll(async () => {
    const logDestination = { write: (line: string): void => void lines.push(line) };
    auth = await RunningAuth.start({ ACERVO_LOG_LEVEL: 'warn' }, new Map(), logDestination);
    token = await auth.logIn();
  });
  afterAll(() => auth.close());

  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await auth.ask(method, path, body, { token });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}.`);
    return answer;
  };
  /** Whom and what the audit record of the last write names. */
  const last = async (): Promise<unknown> => {
    const [row] = await auth.server.asOwner(
      'auth',
      `select payload ->> 'actor' as actor, payload ->> 'subject' as subject, payload ->> 'target' as target
       from auth.outbox where topic = 'audit.recorded.v1' order by id desc limit 1`,
    );
    return row;
  };

  it('a record names the user and the thing that a write concerned', async () => {
    const by = { actor: ADMIN.email, subject: EMAIL };
    await ask('POST', '/usuarios', { codigo: 'OBJETO@example.test', nombre: 'X', password: ADMIN.password });
    expect(await last()).toEqual({ ...by, target: null });
    await ask('POST', `/usuarios/${EMAIL}/roles`, { id_rol: 3 });
    expect(await last()).toEqual({ ...by, target: 'role:USUARIO' });
    await ask('POST', `/usuarios/${EMAIL}/entidades`, { codigo_entidad: 'E1' });
    expect(await last()).toEqual({ ...by, target: 'entity:E1' });
    const { prefijo } = (await ask('POST', '/auth/api-key', { nombre: 'c', codigo_usuario_destino: EMAIL })).body;
    expect(await last()).toEqual({ ...by, target: `api_key:${String(prefijo)}` });
    await ask('DELETE', `/auth/api-key/${String(prefijo)}`);
    expect(await last()).toEqual({ ...by, target: `api_key:${String(prefijo)}` });
    const role = await ask('POST', '/roles', { codigo: 'R', nombre: 'R', tipo_acceso: 'USUARIO', codigo_grupo: 'G1' });
    await ask('POST', `/roles/${String(role.body['id_rol'])}/funciones`, { codigo_funcion: 'DOCUMENTS' });
    expect(await last()).toEqual({ actor: ADMIN.email, subject: null, target: 'role:R' });
    await auth.logIn({ email: EMAIL, password: ADMIN.password });
    expect(await last()).toEqual({ actor: 'anonymous', subject: EMAIL, target: null });
    expect((await auth.ask('DELETE', `/usuarios/${ADMIN.email}`, undefined, { token })).status).toBe(409);
    expect(await last()).toEqual({ actor: ADMIN.email, subject: ADMIN.email, target: null });
  });

  it('each refused login leaves a log line without account or address', async () => {
    const attempt = (email: string) => auth.ask('POST', '/auth/login', { email, password: 'otra cosa' });
    for (const email of [EMAIL, 'OBJETO@example.test', 'nadie@example.test']) await attempt(email);
    const found = lines.map((line) => JSON.parse(line) as Line).filter(({ security }) => security === 'sign_in');
    const refused = { step: 'password', outcome: 'REFUSED', reason: 'UNAUTHORIZED' };
    expect(found).toEqual([0, 1, 2].map(() => expect.objectContaining(refused) as object));
    const [one, same, other] = found.map(({ account }) => account);
    expect([one === same, one === other, new Set(found.map(({ address }) => address)).size]).toEqual([true, false, 1]);
    for (let index = 0; index < 6; index += 1) await attempt(EMAIL);
    expect(lines.at(-1)).toContain('"reason":"RATE_LIMITED"');
    expect(lines.join()).not.toMatch(/objeto|nadie|example|127\.0\.0\.1|::1/i);
  });
});
