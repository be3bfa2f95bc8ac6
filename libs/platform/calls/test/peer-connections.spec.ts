import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { PeerConnections } from '../src';

describe('connections to peers over TLS', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-peers-'));
  const [ca, stranger] = [join(place, 'ca.pem'), join(place, 'stranger.pem')];
  let server: Server;
  let url: string;
  let sockets = 0;

  beforeAll(async () => {
    const made = () =>
      generate([{ name: 'commonName', value: '127.0.0.1' }], {
        keyType: 'ec',
        algorithm: 'sha256',
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
      });
    const pair = await made();
    writeFileSync(ca, pair.cert);
    writeFileSync(stranger, (await made()).cert);
    server = createServer({ cert: pair.cert, key: pair.private }, ({ url: path }, response) => {
      response.writeHead(path === '/keys' ? 200 : 404).end(JSON.stringify({ keys: [path] }));
    });
    server.on('secureConnection', () => (sockets += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(place, { recursive: true, force: true });
  });

  it('a peer of the named authority answers, over one kept connection', async () => {
    const peers = new PeerConnections({ ca });
    for (let turn = 0; turn < 3; turn += 1)
      expect(await peers.getJson(`${url}/keys`, 5_000)).toEqual({ keys: ['/keys'] });
    expect(sockets).toBe(1);
    await expect(peers.getJson(`${url}/nothing`, 5_000)).rejects.toThrow('answered 404');
    peers.close();
  });
  it('a request that is answered is held by no deadline', async () => {
    const peers = new PeerConnections({ ca });
    const { signal: deadline } = new AbortController();
    await new Promise<void>((resolve, reject) => {
      const sent = peers.request(`${url}/keys`, { signal: deadline }, (answer) =>
        answer.resume().once('close', resolve),
      );
      sent.once('error', reject).end();
    });
    expect(getEventListeners(deadline, 'abort')).toEqual([]);
    peers.close();
  });
  it.each([{ ca: stranger }, {}])('a peer of another authority is refused: %j', async (tls) => {
    const peers = new PeerConnections(tls);
    await expect(peers.getJson(`${url}/keys`, 5_000)).rejects.toThrow(/self-signed|verify/);
    peers.close();
  });
});
