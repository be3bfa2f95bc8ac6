import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { until } from '@acervo/platform-testing';
import { connectionProven, type RunningServer, type SenderProofs, serve, UNPROVEN_BOUNDS } from '../src';

let server: RunningServer;
let clients: Socket[];
/** Requests that the handler has begun, by their paths, and the answers that it has not given. */
let begun: string[];
let unanswered: ServerResponse[];

const PROOF = 'x-proof: valid';
const proves: SenderProofs['proves'] = ({ headers }) => Promise.resolve(headers['x-proof'] === 'valid');

const handler: RequestListener = (request, response) => {
  const path = request.url ?? '';
  begun.push(path);
  if (path.startsWith('/body')) connectionProven(request);
  if (path.includes('held')) unanswered.push(response);
  else response.end('answer');
};

const open = async (bounds: Partial<SenderProofs> = {}): Promise<void> => {
  const senders = { ...UNPROVEN_BOUNDS, longestTurnMs: 60_000, proves, ...bounds };
  server = await serve('internal', handler, '127.0.0.1', 0, undefined, { senders });
};

beforeEach(() => ([clients, begun, unanswered] = [[], [], []]));
afterEach(async () => {
  for (const socket of clients) socket.destroy();
  await server.close(0);
});

interface Client {
  readonly socket: Socket;
  received(): string;
}

/** A connection from a loopback address, after it has sent these bytes. */
const client = (bytes = '', localAddress = '127.0.0.1'): Promise<Client> =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress }, () => {
      socket.write(bytes, () => resolve({ socket, received: () => text }));
    });
    clients.push(socket);
    socket.on('data', (part: Buffer) => (text += part.toString()));
    socket.on('error', reject);
  });

const request = (path: string, more: readonly string[] = []): string =>
  [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Length: 0', ...more, '', ''].join('\r\n');
const probe = (path: string): string => `GET /health/${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

const ended = ({ socket }: Client): Promise<void> => until('the connection is ended', () => socket.destroyed);
const answers = ({ received }: Client): number => received().split('HTTP/1.1 200').length - 1;

describe('connections that show no proof', () => {
  it('a service is answered while connections without a proof fill the listener', async () => {
    await open({ most: 6, mostOfAddress: 4 });
    for (let index = 0; index < 30; index += 1) await client('', `127.0.0.${1 + (index % 5)}`);
    const service = await client(request('/call', [PROOF]));
    await until('the call is answered', () => answers(service) === 1);
    for (let index = 0; index < 30; index += 1) await client('', `127.0.0.${1 + (index % 5)}`);
    service.socket.write(request('/call', [PROOF]));
    await until('the next call of the connection is answered', () => answers(service) === 2);
  });
  it('one more of an address ends its oldest, and none of another', async () => {
    await open({ mostOfAddress: 2 });
    const other = await client('', '127.0.0.2');
    const [first, second] = [await client(), await client()];
    await client();
    await ended(first);
    expect([second.socket.destroyed, other.socket.destroyed]).toEqual([false, false]);
  });
  it('one more of all ends the oldest of the largest address', async () => {
    await open({ most: 3 });
    const single = await client('', '127.0.0.2');
    const [first] = [await client(), await client()];
    await client('', '127.0.0.3');
    await ended(first);
    expect(single.socket.destroyed).toBe(false);
  });
  it('without a proof a connection ends in time, with one it stays', async () => {
    await open({ longestMs: 200 });
    const service = await client(request('/call', [PROOF]));
    await ended(await client(request('/call').slice(0, 20)));
    service.socket.write(request('/call'));
    await until('it is answered', () => answers(service) === 2);
  });
});

describe('requests without a proof', () => {
  it('are the only one of their connection', async () => {
    await open();
    const pipelined = await client(request('/call').repeat(4));
    await ended(pipelined);
    expect([answers(pipelined), begun.length]).toEqual([1, 1]);
  });
  it('a proof in the body keeps the connection', async () => {
    await open();
    const service = await client(request('/body').repeat(2));
    await until('both are answered', () => answers(service) === 2);
    expect(service.received()).not.toContain('Connection: close');
  });
  it('a proof in the body ends the turn before the answer', async () => {
    await open();
    await Promise.all(Array.from({ length: 6 }, () => client(request('/body-held'))));
    await until('all have begun', () => begun.length === 6);
    expect(unanswered).toHaveLength(6);
  });
  it('wait for their turn, and calls with a proof do not', async () => {
    await open();
    await Promise.all(Array.from({ length: 10 }, () => client(request('/held'))));
    await until('the first ones have begun', () => begun.length === 4);
    const service = await client(request('/call', [PROOF]));
    await until('the call is answered', () => answers(service) === 1);
    const probing = await client(probe('live'));
    await until('the probe is answered', () => answers(probing) === 1);
    expect(begun.filter((path) => path === '/held')).toHaveLength(4);
    for (let answered = 0; answered < 10; answered += 1) {
      await until('the next one has begun', () => unanswered.length > answered);
      unanswered[answered]?.end();
    }
  });
  it('addresses take turns', async () => {
    let arrived = 0;
    await open({
      proves: () => {
        arrived += 1;
        return Promise.resolve(false);
      },
    });
    const mine = await Promise.all(Array.from({ length: 5 }, () => client(probe('held-mine'))));
    await until('one has begun', () => begun.length === 1);
    const other = await client(probe('other'), '127.0.0.2');
    await until('all have arrived', () => arrived === mine.length + 1);
    for (const next of [1, 2]) {
      unanswered[next - 1]?.end();
      await until('the next one has begun', () => begun.length > next);
    }
    await until('the other address is answered', () => answers(other) === 1);
    expect(begun.slice(0, 3)).toEqual(['/health/held-mine', '/health/held-mine', '/health/other']);
  });
  it('whose client has left give their turn on', async () => {
    await open();
    const first = await client(probe('held'));
    await until('it has begun', () => begun.length === 1);
    const gone = await client(probe('held'));
    gone.socket.destroy();
    first.socket.destroy();
    const next = await client(probe('live'));
    await until('the next one is answered', () => answers(next) === 1);
  });
});
