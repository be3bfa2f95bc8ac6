import { RunningAuth } from './support/auth';

describe('a session', () => {
  let auth: RunningAuth;
  beforeAll(async () => {
    auth = await RunningAuth.start();
  }, 60_000);
  afterAll(() => auth.close());

  it('begins with address and password and tells who its user is', async () => {
    const token = await auth.logIn();
    const { status, body } = await auth.ask('GET', '/auth/me', undefined, { token });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { codigo_usuario: 'admin@example.test', grupo_activo: 'G1', entidad_activa: 'E1', tipo_acceso: 'ADMINISTRADOR' },
    });
  });
});
