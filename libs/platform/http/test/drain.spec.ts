import { Agent, type IncomingMessage, request, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Draining, HealthController, ReadinessMonitor, type RunningServer, serve } from '../src';
import { testApp } from './support';

interface Answer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: string;
}

const answered = (response: IncomingMessage): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let body = '';
    response.on('data', (part: Buffer) => (body += part.toString()));
    response.on('error', reject);
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, body }),
    );
  });

/** Sends a body in parts, each a little later. */
const ask = (port: number, path: string, agent: Agent, parts: readonly string[] = []): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, agent, method: 'POST' }, (response) => {
      answered(response).then(resolve, reject);
    });
    sent.on('error', reject);
    const write = async (): Promise<void> => {
      for (const part of parts) {
        sent.write(part);
        await pause(60);
      }
      sent.end();
    };
    void write();
  });

/** Answers with the body of the request; `/slow` some time later, `/stream` in parts. */
const echo: RequestListener = (incoming, response) => {
  let body = '';
  incoming.on('data', (part: Buffer) => (body += part.toString()));
  incoming.on('end', () => {
    if (incoming.url === '/hangs') return;
    if (incoming.url === '/slow') return void setTimeout(() => response.end('slow'), 300);
    if (incoming.url !== '/stream') return void response.end(body);
    response.write('one ');
    setTimeout(() => response.write('two '), 150);
    setTimeout(() => response.end('three'), 300);
  });
};

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject);
  });

describe('a server that drains', () => {
  let server: RunningServer;
  let agent: Agent;
  beforeEach(async () => {
    server = await serve('public', echo, '127.0.0.1', 0);
    agent = new Agent({ keepAlive: true });
  });
  afterEach(async () => {
    agent.destroy();
    await server.close(0);
  });

  it('each answer ends its connection, and new connections are accepted', async () => {
    expect(await ask(server.port, '/', agent)).toMatchObject({ connection: 'keep-alive' });
    server.drain();
    for (let turn = 0; turn < 3; turn += 1)
      expect(await ask(server.port, '/', agent, ['a'])).toEqual({ status: 200, connection: 'close', body: 'a' });
  });

  it('the answer in progress ends its connection too', async () => {
    const slow = ask(server.port, '/slow', agent);
    await pause(50);
    server.drain();
    expect(await slow).toEqual({ status: 200, connection: 'close', body: 'slow' });
  });

  it('a closing server finishes requests, streams and slow bodies', async () => {
    const under = [
      ask(server.port, '/slow', agent),
      ask(server.port, '/stream', agent),
      ask(server.port, '/', agent, ['a', 'b', 'c', 'd']),
    ];
    await pause(50);
    await server.close();
    expect((await Promise.all(under)).map(({ body }) => body)).toEqual(['slow', 'one two three', 'abcd']);
    await expect(connected(server.port)).rejects.toThrow('ECONNREFUSED');
  });

  it('a kept connection is answered while another request is finished', async () => {
    await ask(server.port, '/', agent);
    const slow = ask(server.port, '/slow', new Agent());
    await pause(50);
    const closed = server.close();
    await pause(50);
    // The connection was idle when the server closed; this request was written before its client could know.
    expect(await ask(server.port, '/', agent, ['late'])).toMatchObject({ connection: 'close', body: 'late' });
    expect((await slow).body).toBe('slow');
    await closed;
  });

  it('idle connections do not delay the end', async () => {
    const idle = await connected(server.port);
    const ended = new Promise<void>((resolve) => idle.once('close', () => resolve()));
    await ask(server.port, '/', agent);
    const started = performance.now();
    await server.close();
    await ended;
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('a request beyond the limit does not hold the server', async () => {
    const hanging = ask(server.port, '/hangs', agent).catch((error: Error) => error.message);
    await pause(50);
    const started = performance.now();
    await server.close(200);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(await hanging).toBe('socket hang up');
  });

  it('no request fails while clients honour the closed connections', async () => {
    const servers = [server, await serve('public', echo, '127.0.0.1', 0)];
    const pool = new Agent({ keepAlive: true, maxSockets: 6 });
    const bodies: string[] = [];
    let target = server.port;
    const client = async (name: number): Promise<void> => {
      for (let turn = 0; turn < 60; turn += 1) {
        bodies.push((await ask(target, '/', pool, [`${name}-${turn}`])).body);
        await pause(2);
      }
    };
    const clients = Promise.all([0, 1, 2, 3, 4, 5].map(client));
    await pause(300);
    server.drain();
    await pause(300);
    target = servers[1]?.port ?? 0;
    await pause(300);
    await server.close();
    await clients;
    expect(new Set(bodies).size).toBe(360);
    pool.destroy();
    await servers[1]?.close();
  });
});

describe('a process that drains', () => {
  it('it is not ready, whatever its engines answer', async () => {
    const http = await testApp({ readiness: [{ name: 'database', check: () => Promise.resolve() }] });
    const health = http.app.get(HealthController);
    await http.app.get(ReadinessMonitor).firstRound();
    expect(await health.report()).toEqual({ ready: true, checks: { database: true } });
    http.app.get(Draining).begin();
    expect(await health.report()).toEqual({ ready: false, checks: { database: true } });
    expect(health.live()).toEqual({ live: true });
    await http.close();
  });
});
