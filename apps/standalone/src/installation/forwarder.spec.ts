import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { networkOf } from '@acervo/platform-http';
import { until } from '@acervo/platform-testing';
import { freePort } from '../kernel/free-port';
import { forward } from './forwarder';

const closing: (() => void)[] = [];
afterAll(() => closing.forEach((close) => close()));

const listen = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
};

describe('the forwarder to processes of services', () => {
  it('the address of the caller stands behind every forwarded one', async () => {
    const behind = await listen(({ headers }, response) => response.end(String(headers['x-forwarded-for'])));
    const port = await listen(forward([behind]));
    const seen = async (headers: Record<string, string>): Promise<string[]> =>
      (await (await fetch(`http://127.0.0.1:${port}/v1/session`, { headers })).text()).split(', ');
    expect((await seen({})).map(networkOf)).toEqual(['127.0.0.1']);
    expect((await seen({ 'x-forwarded-for': '192.0.2.1, 192.0.2.2' })).at(-1)).toMatch(/127\.0\.0\.1$/);
  });
  it('a client that leaves ends the connection behind it', async () => {
    let [begun, ended] = [0, 0];
    const behind = await listen((_request, response) => {
      begun += 1;
      response.once('close', () => (ended += 1));
      response.write('x'.repeat(16_000_000));
    });
    const port = await listen(forward([behind]));
    const sockets = Array.from({ length: 5 }, () =>
      connect(port, '127.0.0.1', function (this: Socket) {
        this.pause();
        this.write('GET /v1/session HTTP/1.1\r\nHost: x\r\n\r\n');
      }),
    );
    await until('each request is forwarded', () => begun === sockets.length);
    for (const socket of sockets) socket.destroy();
    await until('each forwarded request ends', () => ended === sockets.length);
  });
  it('many open streams keep no request waiting', async () => {
    const behind = await listen(({ url }, response) =>
      url === '/stream' ? response.write('begun') : response.end('whole'),
    );
    const port = await listen(forward([behind]));
    const gone = new AbortController();
    const streams = await Promise.all(
      Array.from({ length: 200 }, () => fetch(`http://127.0.0.1:${port}/stream`, { signal: gone.signal })),
    );
    expect(streams.map(({ status }) => status)).toEqual(Array(200).fill(200));
    expect(await (await fetch(`http://127.0.0.1:${port}/v1/session`)).text()).toBe('whole');
    gone.abort();
  });
  it('an answer that breaks off breaks off for the client', async () => {
    const behind = await listen((_request, response) => void response.write('begun', () => response.destroy()));
    const port = await listen(forward([behind]));
    const answer = await fetch(`http://127.0.0.1:${port}/v1/session`);
    await expect(answer.text()).rejects.toThrow();
  });
  it.each([
    ['/v1/session', 'code'],
    ['/usuarios', 'codigo'],
  ])('%s of an absent process is 503 in its envelope', async (path, code) => {
    const port = await listen(forward([await freePort()]));
    const answer = await fetch(`http://127.0.0.1:${port}${path}?a=1`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ [code]: 'INTERNAL_ERROR' });
  });
});
