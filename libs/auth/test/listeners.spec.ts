import { BaseConfig, readConfig } from '@acervo/platform-config';
import { AddressUnavailable, type RunningServer } from '@acervo/platform-http';
import { listen } from '@acervo/platform-service';
import { RunningAuth } from './support/auth';

const [OUTER, INNER] = ['127.0.0.1', '127.0.0.2'];
const INTERNAL_PATHS = ['/health/live', '/health/ready', '/metrics', '/internal/jwks'];
const PUBLIC_PATH = '/.well-known/jwks.json';

describe('the listeners of a service', () => {
  let auth: RunningAuth;
  let servers: readonly RunningServer[] = [];
  beforeAll(async () => {
    auth = await RunningAuth.start();
  });
  afterEach(() => Promise.all(servers.map((server) => server.close())));
  afterAll(() => auth.close());

  /** Opens the listeners with settings; answers the internal and the public port. */
  const open = async (settings: Readonly<Record<string, string>>): Promise<readonly [number, number]> => {
    const ports = { ACERVO_PORT: '0', ACERVO_INTERNAL_PORT: '0' };
    const opened = await listen(auth.service, readConfig(BaseConfig, { ...ports, ...settings }));
    servers = [opened.internal, opened.public];
    return [opened.internal.port, opened.public.port];
  };
  /** The status of an answer, or null where nothing listens. */
  const status = (host: string, port: number, path: string): Promise<number | null> =>
    fetch(`http://${host}:${port}${path}`).then(
      (answer) => answer.status,
      () => null,
    );

  it('internal and public paths answer on their own address alone', async () => {
    const [internal, external] = await open({ ACERVO_HOST: OUTER, ACERVO_INTERNAL_HOST: INNER });
    for (const path of INTERNAL_PATHS) {
      expect([path, await status(INNER, internal, path)]).toEqual([path, 200]);
      expect([path, await status(OUTER, internal, path)]).toEqual([path, null]);
      expect([path, await status(OUTER, external, path)]).toEqual([path, 404]);
    }
    expect(await status(OUTER, external, PUBLIC_PATH)).toBe(200);
    expect(await status(INNER, external, PUBLIC_PATH)).toBeNull();
    expect(await status(INNER, internal, PUBLIC_PATH)).toBe(404);
  });
  it('one port may serve both on different addresses', async () => {
    const [port] = await open({ ACERVO_HOST: OUTER });
    await Promise.all(servers.map((server) => server.close()));
    const both = { ACERVO_PORT: String(port), ACERVO_INTERNAL_PORT: String(port) };
    await open({ ACERVO_HOST: OUTER, ACERVO_INTERNAL_HOST: INNER, ...both });
    expect([await status(OUTER, port, PUBLIC_PATH), await status(INNER, port, PUBLIC_PATH)]).toEqual([200, 404]);
    expect([await status(OUTER, port, '/metrics'), await status(INNER, port, '/metrics')]).toEqual([404, 200]);
  });
  it('without an internal address both listen on one', async () => {
    const unsets: readonly Readonly<Record<string, string>>[] = [{}, { ACERVO_INTERNAL_HOST: '' }];
    for (const unset of unsets) {
      const [internal, external] = await open({ ACERVO_HOST: INNER, ...unset });
      expect([await status(INNER, internal, '/metrics'), await status(INNER, external, PUBLIC_PATH)]).toEqual([
        200, 200,
      ]);
      await Promise.all(servers.map((server) => server.close()));
    }
  });
  it('an address that the machine lacks stops the start', async () => {
    await expect(open({ ACERVO_INTERNAL_HOST: '192.0.2.1' })).rejects.toThrow(AddressUnavailable);
    servers = [];
  });
});
