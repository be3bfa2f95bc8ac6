import { Agent, type IncomingMessage, request, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@acervo/platform-testing';
import { Draining, HealthController, ReadinessMonitor, type RunningServer, serve } from '../src';
import { Gate, testApp } from './support';

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

/** Sends a body; its last part once the gate of clients opens. */
const ask = (port: number, path: string, agent: Agent, body = '', last?: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, agent, method: 'POST' }, (response) => {
      answered(response).then(resolve, reject);
    });
    sent.on('error', reject);
    if (last === undefined) return void sent.end(body);
    sent.write(body);
    void clients.pass().then(() => sent.end(last));
  });

/** Clients in the middle of their bodies, and answers that are not complete. */
const [clients, answers] = [new Gate(), new Gate()];
let arrived = 0;

/** Answers with the body of the request; `/slow` and the end of `/stream` once the gate of answers opens. */
const echo: RequestListener = (incoming, response) => {
  arrived += 1;
  let body = '';
  incoming.on('data', (part: Buffer) => (body += part.toString()));
  incoming.on('end', () => {
    if (incoming.url === '/hangs') return;
    if (incoming.url === '/slow') return void answers.pass().then(() => response.end('slow'));
    if (incoming.url !== '/stream') return void response.end(body);
    response.write('one ');
    void answers.pass().then(() => response.write('two ') && response.end('three'));
  });
};

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', reject);
  });

/** Longer than any test: only what the server waits for decides when it is closed. */
const WITHOUT_LIMIT_MS = 600_000;

/** Closes a server. @throws TooLate where it waits for its limit */
const closing = async (server: RunningServer, longestMs = WITHOUT_LIMIT_MS): Promise<void> => {
  let isClosed = false;
  const closed = server.close(longestMs).then(() => (isClosed = true));
  await until('the server is closed', () => isClosed);
  await closed;
};

describe('a server that drains', () => {
  let server: RunningServer;
  let agent: Agent;
  beforeEach(async () => {
    arrived = 0;
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
      expect(await ask(server.port, '/', agent, 'a')).toEqual({ status: 200, connection: 'close', body: 'a' });
  });

  it('the answer in progress ends its connection too', async () => {
    const slow = ask(server.port, '/slow', agent);
    await until('the request waits', () => answers.waits === 1);
    server.drain();
    answers.open();
    expect(await slow).toEqual({ status: 200, connection: 'close', body: 'slow' });
  });

  it('a closing server finishes requests, streams and slow bodies', async () => {
    const under = [
      ask(server.port, '/slow', agent),
      ask(server.port, '/stream', agent),
      ask(server.port, '/', agent, 'abc', 'd'),
    ];
    await until('the requests are in progress', () => arrived === 3 && answers.waits === 2);
    const closed = closing(server);
    await expect(connected(server.port)).rejects.toThrow('ECONNREFUSED');
    answers.open();
    clients.open();
    expect((await Promise.all(under)).map(({ body }) => body)).toEqual(['slow', 'one two three', 'abcd']);
    await closed;
  });

  it('a kept connection is answered while another request is finished', async () => {
    await ask(server.port, '/', agent);
    const slow = ask(server.port, '/slow', new Agent());
    await until('the request waits', () => answers.waits === 1);
    const closed = closing(server);
    // The connection was idle when the server closed; this request was written before its client could know.
    expect(await ask(server.port, '/', agent, 'late')).toMatchObject({ connection: 'close', body: 'late' });
    answers.open();
    expect((await slow).body).toBe('slow');
    await closed;
  });

  it('idle connections do not delay the end', async () => {
    const idle = await connected(server.port);
    const ended = new Promise<void>((resolve) => idle.once('close', () => resolve()));
    await ask(server.port, '/', agent);
    await closing(server);
    await ended;
  });

  it('a request beyond the limit does not hold the server', async () => {
    const hanging = ask(server.port, '/hangs', agent).catch((error: Error) => error.message);
    await until('the request is in progress', () => arrived === 1);
    await closing(server, 200);
    expect(await hanging).toBe('socket hang up');
  });

  it('no request fails while clients honour the closed connections', async () => {
    const other = await serve('public', echo, '127.0.0.1', 0);
    const pool = new Agent({ keepAlive: true, maxSockets: 6 });
    const turns = [0, 0, 0, 0, 0, 0];
    let [target, isOver] = [server.port, false];
    const client = async (_: number, name: number): Promise<void> => {
      for (let turn = 1; !isOver; turn += 1) {
        expect((await ask(target, '/', pool, `${name}-${turn}`)).body).toBe(`${name}-${turn}`);
        turns[name] = turn;
        await pause(2);
      }
    };
    const asking = Promise.all(turns.map(client));
    /** Each client gets some more answers. */
    const someTurns = async (): Promise<void> => {
      const before = [...turns];
      const areMore = (): boolean => turns.every((turn, name) => turn >= (before[name] ?? 0) + 10);
      await Promise.race([asking, until('each client gets ten answers', areMore)]);
    };
    await someTurns();
    server.drain();
    await someTurns();
    target = other.port;
    await someTurns();
    await closing(server);
    await someTurns();
    isOver = true;
    await asking;
    pool.destroy();
    await other.close();
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
