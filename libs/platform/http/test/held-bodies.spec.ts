import { connect, type Socket } from 'node:net';
import { Overloaded } from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import { until } from '@acervo/platform-testing';
import { type RunningServer, serve } from '../src';
import { ByteBudget } from '../src/body';
import { Places, testApp, type TestApp } from './support';

let places: Places;
let http: TestApp;
let server: RunningServer;
let clients: Socket[];

beforeEach(async () => {
  [places, clients] = [new Places(), []];
  http = await testApp({ admission: places });
  server = await serve('public', http.handler, '127.0.0.1', 0);
});
afterEach(async () => {
  for (const socket of clients) socket.destroy();
  await server.close(0);
  await http.close();
});

/** A request whose body never ends; answers what was received so far. */
const holding = (path: string, authorization: string, headers = 'Transfer-Encoding: chunked'): (() => string) => {
  let text = '';
  const socket = connect(server.port, '127.0.0.1', () =>
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: ${authorization}\r\n${headers}\r\n\r\nb\r\n{"query":"x\r\n`,
    ),
  );
  socket.on('data', (part: Buffer) => (text += part.toString()));
  socket.on('error', () => undefined);
  clients.push(socket);
  return () => text;
};

const bytes = async (): Promise<number> => {
  const text = await http.app.get(Metrics).registry.metrics();
  return Number(/^acervo_body_bytes\{listener="public".*\} (\d+)$/m.exec(text)?.[1]);
};

const statuses = async (times: number): Promise<number[]> => {
  const found: number[] = [];
  const headers = { authorization: 'Bearer session', 'content-type': 'application/json' };
  for (let time = 0; time < times; time += 1) {
    const sent = { method: 'POST', headers, body: '{"query":"x"}' };
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1/things`, sent);
    await answer.text();
    found.push(answer.status);
  }
  return found;
};

describe('bodies that never end', () => {
  it('a wrong credential is refused before the body is read', async () => {
    const answers = Array.from({ length: 50 }, () => holding('/v1/things', 'Bearer wrong'));
    await until('every request is refused', () => answers.every((text) => text().startsWith('HTTP/1.1 401 ')));
    expect(await bytes()).toBe(0);
  });
  it('bodies of a caller reserve half of the memory at most, and hold no place', async () => {
    const answers = Array.from({ length: 100 }, () => holding('/v1/things', 'Bearer key'));
    await until(
      'the others are refused',
      () => answers.filter((text) => text().startsWith('HTTP/1.1 503 ')).length === 84,
    );
    expect([await bytes(), places.semaphore.inUse]).toEqual([16 * 1_024 * 1_024, 0]);
    for (const socket of clients) socket.destroy();
    await until('the memory is free', async () => (await bytes()) === 0);
    expect(await statuses(10)).toEqual(Array(10).fill(200));
  });
  it('bodies without a credential reserve 16 kB each', async () => {
    for (let client = 0; client < 20; client += 1) holding('/v1/open', '');
    await until('each is being read', async () => (await bytes()) === 20 * 16 * 1_024);
    expect(await statuses(10)).toEqual(Array(10).fill(200));
  });
  it('a compressed body is refused before it ends', async () => {
    const answer = holding('/v1/things', 'Bearer key', 'Transfer-Encoding: chunked\r\nContent-Encoding: gzip');
    await until('it is refused', () => answer().startsWith('HTTP/1.1 400 '));
  });
});

describe('a budget of bytes', () => {
  it('one sharer gets half, another one the rest', () => {
    const budget = new ByteBudget(100);
    const [first] = [budget.take(40, ['group:a', 'address:1'])];
    expect(() => budget.take(20, ['group:a', 'address:2'])).toThrow(Overloaded);
    expect(() => budget.take(20, ['group:b', 'address:1'])).toThrow(Overloaded);
    const second = budget.take(50, ['group:b', 'address:2']);
    expect(() => budget.take(20, ['group:c', 'address:3'])).toThrow(Overloaded);
    first();
    first();
    second();
    expect(budget.inUse).toBe(0);
    budget.take(50, ['group:a', 'address:1']);
  });
});
