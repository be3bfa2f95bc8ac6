import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PeerConnections, ServiceKeys } from '@acervo/platform-calls';
import { endpointsFrom, peerKeys } from './peers';

describe('the keys of peers', () => {
  let server: Server;
  let keys: ServiceKeys;
  let asked: (string | undefined)[] = [];

  beforeAll(async () => {
    keys = await ServiceKeys.generate();
    server = createServer(({ url }, response) => {
      asked.push(url);
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: keys.published }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => (asked = []));

  const ownKeys = { published: () => Promise.resolve([]) };
  const at = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const find = (internalUrl: string, sender: string): Promise<unknown> =>
    peerKeys('auth', ownKeys, { internalUrl }, new PeerConnections()).find(sender, keys.signing.kid);

  it.each(['standalone', 'operator', 'mallory'])(
    'a pattern of addresses asks no program for the keys of %s',
    async (name) => {
      await expect(find(`${at()}/{service}`, name)).rejects.toThrow(`${name} publishes no key of this id.`);
      expect(asked).toEqual([]);
    },
  );

  it('a pattern of addresses finds the keys of a service', async () => {
    expect(await find(`${at()}/{service}`, 'gateway')).toBeDefined();
    expect(asked).toEqual(['/gateway/internal/jwks']);
  });

  it('the program on one machine is known where a list names its address', async () => {
    expect(await find(`gateway=http://gateway.invalid,standalone=${at()}/s`, 'standalone')).toBeDefined();
    await expect(find(`gateway=${at()}`, 'standalone')).rejects.toThrow('standalone publishes no key of this id.');
    expect(asked).toEqual(['/s/internal/jwks']);
  });

  it('calls to a service without an address cannot be sent', () => {
    expect(endpointsFrom('auth=http://a')('gateway')).toBe('http://gateway.invalid');
    expect(endpointsFrom('http://{service}:8081')('gateway')).toBe('http://gateway:8081');
  });
});
