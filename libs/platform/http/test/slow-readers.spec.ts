import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@acervo/platform-testing';
import { type ConnectionLimits, openApiDocument, publicBounds, type RunningServer, serve, serveDocs } from '../src';
import { LARGE, Places, slowThing, testApp, type TestApp } from './support';

const CONNECTIONS = 12;
const PIPELINED = 16;
const BUNDLE = '/docs/swagger-ui-bundle.js';
const STREAM = '/v1/stream';

let places: Places;
let http: TestApp;
let server: RunningServer;
let clients: Socket[];
/** Requests that reached the application. */
let begun: number;

const open = async (bounds: Partial<ConnectionLimits> = {}): Promise<void> => {
  server = await serve(
    'public',
    (request, response) => {
      begun += 1;
      http.handler(request, response);
    },
    ...(['127.0.0.1', 0, undefined, bounds] as const),
  );
};

/** Lets slow requests pass again and again: each takes a moment. */
let opening: NodeJS.Timeout;

beforeEach(async () => {
  opening = setInterval(() => slowThing.open(), 20);
  [places, clients, begun] = [new Places(), [], 0];
  http = await testApp({
    admission: places,
    prepare: (app) => {
      app.use(STREAM, (_request: unknown, response: NodeJS.WritableStream) => void response.write('begun'));
      serveDocs(app, () => openApiDocument(app, { version: '1' }));
    },
  });
});
afterEach(async () => {
  clearInterval(opening);
  for (const socket of clients) socket.destroy();
  await server.close(0);
  await http.close();
});

/** A connection from a loopback address that sends these bytes at once and reads nothing. */
const sending = (bytes: string, localAddress = '127.0.0.1'): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress }, () => {
      socket.write(bytes, () => resolve(socket));
    });
    socket.pause();
    clients.push(socket);
    socket.on('error', reject);
  });

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key\r\n\r\n`;

/** Connections from four addresses, each with pipelined requests; their first requests have arrived. */
const attack = async (path: string): Promise<Socket[]> => {
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) =>
      sending(get(path).repeat(PIPELINED), `127.0.0.${1 + (index % 4)}`),
    ),
  );
  await until('each connection is served', () => begun >= CONNECTIONS);
  return sockets;
};

/** Statuses of requests of a client that reads, one after the other. */
const statuses = async (times: number): Promise<number[]> => {
  const found: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1/things`, {
      headers: { authorization: 'Bearer key' },
    });
    await answer.text();
    found.push(answer.status);
  }
  return found;
};

/** What a connection receives until it ends, or until it has received so many answers. */
const received = async (socket: Socket, answers = Infinity): Promise<string> => {
  let text = '';
  let isOver = false;
  socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
  socket.on('close', () => (isOver = true));
  socket.resume();
  await until('the answers', () => isOver || text.split('HTTP/1.1 ').length > answers);
  return text;
};

const allPlacesFree = (): Promise<void> =>
  until(
    () => `places in use ${places.semaphore.inUse}, waiting ${places.semaphore.queued}`,
    () => places.semaphore.idle && places.semaphore.inUse === 0 && places.semaphore.queued === 0,
  );

describe('clients that read nothing', () => {
  it.each([BUNDLE, '/v1/open/large', '/v1/things/slow'])(
    'pipelined requests for %s leave places to others',
    async (path) => {
      await open();
      await attack(path);
      expect(await statuses(20)).toEqual(Array(20).fill(200));
    },
  );
  it.each([BUNDLE, '/v1/open/large', '/v1/things/slow'])(
    'ended connections that asked for %s hold no place',
    async (path) => {
      await open();
      for (const socket of await attack(path)) socket.destroy();
      await allPlacesFree();
      expect(await statuses(20)).toEqual(Array(20).fill(200));
    },
  );
  it('a client that takes nothing of its answer is cut', async () => {
    await open({ stalledMs: 200 });
    await sending(get('/v1/open/large'));
    await until(
      () => `the connection is cut: ${http.logged()}`,
      () => http.logged().includes('/v1/open/:kind'),
      5_000,
    );
    expect(places.semaphore.idle).toBe(true);
  });
  it('a client that takes its answer slowly receives all of it', async () => {
    await open({ stalledMs: 1_500 });
    const socket = await sending(get('/v1/open/large').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    let bytes = 0;
    for await (const part of socket as AsyncIterable<Buffer>) {
      bytes += part.length;
      await pause(10);
    }
    expect(bytes).toBeGreaterThan(LARGE);
  });
  it('open streams hold no place', async () => {
    await open();
    await Promise.all(Array.from({ length: 10 }, () => sending(get(STREAM))));
    await until('each stream has begun', () => begun === 10 && places.semaphore.idle);
    expect(await statuses(20)).toEqual(Array(20).fill(200));
  });
});

describe('connections of one address', () => {
  it('behind a trusted proxy, one address has as many as it opens', () => {
    const settings = { connections: 100, connectionsPerAddress: 8 };
    expect([0, 1].map((trustedProxies) => publicBounds({ ...settings, trustedProxies }))).toEqual([
      { most: 100, mostOfAddress: 8 },
      { most: 100, mostOfAddress: Infinity },
    ]);
  });
  it('a connection beyond the bound gets 429, another address is served', async () => {
    await open({ mostOfAddress: 2 });
    const [first] = [await sending(get('/v1/things')), await sending(get('/v1/things'))];
    await until('both are served', () => begun === 2);
    const refused = await received(await sending(get('/v1/things')));
    expect(refused).toMatch(/^HTTP\/1\.1 429 [^]*Retry-After: 1\r\n[^]*"code":"RATE_LIMITED"/);
    expect(await received(await sending(get('/v1/things'), '127.0.0.2'), 1)).toMatch(/^HTTP\/1\.1 200 /);
    expect(begun).toBe(3);
    first?.destroy();
    await until('a connection is served', async () => {
      const answer = await received(await sending(get('/v1/things')), 1);
      return answer.startsWith('HTTP/1.1 200 ');
    });
  });
});

describe('pipelined requests', () => {
  it('requests of a connection are answered in order, one at a time', async () => {
    await open();
    const paths = Array.from({ length: PIPELINED }, (_, index) => `/v1/things/T-${index}`);
    const answers = await received(await sending(paths.map(get).join('')), PIPELINED);
    expect([...answers.matchAll(/"display_name":"([^"]+)"/g)].map(([, name]) => `/v1/things/${name}`)).toEqual(paths);
  });
  it('more unanswered requests than the bound end their connection', async () => {
    await open({ pipelined: 4 });
    const answers = await received(await sending(get('/v1/things/slow').repeat(8)));
    expect([answers.split('HTTP/1.1 ').length - 1, begun]).toEqual([0, 1]);
    await allPlacesFree();
  });
});
