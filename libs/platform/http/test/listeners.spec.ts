import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { RequestHandler } from 'express';
import request, { type Response } from 'supertest';
import { eventually, until, turnsOfTheLoop } from '@acervo/platform-testing';
import { internalMessages, publicErrors } from '@acervo/public-mapping';
import {
  HealthController,
  isFile,
  isPublicContract,
  listenerOfPath,
  PortInUse,
  type ReadinessCheck,
  RequestBodies,
  type RunningServer,
  serve,
  servesApiKeys,
} from '../src';
import { slowThing, testApp, type TestApp } from './support';

/** A check as an object with a state of its own, which `check` reads through `this`. */
class Switch implements ReadinessCheck {
  on = true;
  constructor(readonly name: string) {}
  check(): Promise<void> {
    return this.on ? Promise.resolve() : Promise.reject(new Error('hush'));
  }
}

const database = new Switch('database');
const jobs: ReadinessCheck = { name: 'jobs', check: () => waiting };
const words = new (class extends Switch {
  readonly optional = true;
})('opensearch');
let waiting: Promise<void> = Promise.resolve();
let http: TestApp;
let listeners: { readonly public: RunningServer; readonly internal: RunningServer };

/** Answers like the routes of calls: before the router, with bodies of that size. */
const rowsRead =
  (bodies: RequestBodies): RequestHandler =>
  (request, response, next) => {
    bodies.read(request, 'call', ['caller:test']).then(() => {
      const rows: unknown = Reflect.get(request.body as object, 'rows');
      response.json({ rows: Array.isArray(rows) ? rows.length : null });
    }, next);
  };

beforeAll(async () => {
  http = await testApp({
    readiness: [database, jobs, words],
    prepare: (app) => void app.use('/internal/rows', rowsRead(app.get(RequestBodies))),
  });
  listeners = {
    public: await serve('public', http.handler, '127.0.0.1', 0),
    internal: await serve('internal', http.handler, '127.0.0.1', 0),
  };
});
beforeEach(() => {
  database.on = true;
  words.on = true;
  waiting = Promise.resolve();
});
afterAll(async () => {
  await Promise.all([listeners.public.close(), listeners.internal.close()]);
  await http.close();
});

const get = async (
  listener: 'public' | 'internal',
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> => request(`http://127.0.0.1:${listeners[listener].port}`).get(path).set(headers);

/** The answer to some bytes on a connection of their own. */
const sent = (listener: 'public' | 'internal', bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(listeners[listener].port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('end', () => resolve(answer)).on('error', reject);
  });

/** A raw request, since clients normalise what they send. */
const raw = (listener: 'public' | 'internal', lines: string): Promise<string> =>
  sent(listener, `${lines}\r\nConnection: close\r\n\r\n`);

describe('a listener', () => {
  it.each(['/internal/things', '/health/live', '/health/ready', '/metrics'])(
    'the internal listener alone answers %s',
    async (path) => {
      expect((await get('internal', path)).status).toBe(200);
      const outside = await get('public', path);
      expect([outside.status, outside.body]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
    },
  );
  it.each(['/v1/things', '/v1/open/limited', '/documentos', '/nothing'])(
    'the public listener alone answers %s',
    async (path) => {
      expect((await get('internal', path)).status).toBe(404);
    },
  );
  it('each listener answers its own paths', async () => {
    expect((await get('public', '/v1/things', { Authorization: 'Bearer session' })).status).toBe(200);
  });
  it.each([
    '/INTERNAL/things',
    '/Internal/things',
    '/internal/Things',
    '//internal/things',
    '/%69nternal/things',
    '/./internal/things',
    '/v1/../internal/things',
    '/internal%2Fthings',
    '/internal/things/',
    '/internal/things?a=1',
    'http://x/internal/things',
    '/;/internal/things',
  ])('a listener is not bypassed by %s', async (target) => {
    expect(await raw('public', `GET ${target} HTTP/1.1\r\nHost: x`)).toMatch(/^HTTP\/1\.1 404 /);
  });
  it.each([
    ['no HTTP', 'GARBAGE\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: hush\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'INVALID_REQUEST',
    ],
    ['a long header', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'hush'.repeat(5_000)}\r\n\r\n`, 431, 'INTERNAL_ERROR'],
    ['no host', 'GET /v1/open/limited HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'INVALID_REQUEST'],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: hush\r\nConnection: close\r\n\r\n', 417, 'INTERNAL_ERROR'],
  ])('both listeners answer %s in the envelope', async (_, bytes, status, code) => {
    for (const listener of ['public', 'internal'] as const) {
      const answer = await sent(listener, bytes);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      const requestId = /x-request-id: (\S+)/i.exec(head)?.[1];
      const { message } = publicErrors[code as keyof typeof publicErrors];
      expect(JSON.parse(body)).toEqual({ code, message, details: {}, request_id: requestId });
      expect(answer).not.toContain('hush');
    }
  });
  it('the internal listener reads a call of 500 wide rows', async () => {
    const row = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`column_${index}`, 'x'.repeat(100)]));
    const answer = await request(`http://127.0.0.1:${listeners.internal.port}`)
      .post('/internal/rows')
      .send({ rows: Array.from({ length: 500 }, () => row) });
    expect(answer.body).toEqual({ rows: 500 });
  });
  it('the path alone determines the listener', () => {
    expect(['/internal', '/internal/x', '/metrics', '/health/live'].map(listenerOfPath)).toEqual(
      Array(4).fill('internal'),
    );
    expect(['/', '/internals', '/v1/internal', '/healthy'].map(listenerOfPath)).toEqual(Array(4).fill('public'));
    expect(['/', '/app/documents/D1', '/docs/x', '/openapi.json', '/v1', '/application'].map(isFile)).toEqual([
      ...Array<boolean>(4).fill(true),
      false,
      false,
    ]);
    expect(['/v1', '/v1/x', '/v1x', '/documentos', '/'].map(servesApiKeys)).toEqual([true, true, false, false, false]);
    expect(['/', '/app/x', '/v1/x', '/nothing', '/documentos/x', '/auth'].map(isPublicContract)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
  it('a taken port is named in the error', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(serve('public', http.handler, '127.0.0.1', port)).rejects.toThrow(PortInUse);
    await new Promise((resolve) => other.close(resolve));
  });
  it('a listener closes despite a kept-alive connection', async () => {
    const short = await serve('public', http.handler, '127.0.0.1', 0);
    await fetch(`http://127.0.0.1:${short.port}/v1/open/limited`).then((response) => response.text());
    await expect(short.close()).resolves.toBeUndefined();
  });
});

describe('health', () => {
  /** The readiness report, once the background checks have found these engines. */
  const reported = (checks: Record<string, boolean>): Promise<{ status: number; ready: unknown }> =>
    eventually(`the checks are ${JSON.stringify(checks)}`, async () => {
      const { status, body } = await get('internal', '/health/ready');
      const report = body as { ready: boolean; checks: Record<string, boolean> };
      return isDeepStrictEqual(report.checks, checks) ? { status, ready: report.ready } : undefined;
    });
  const all = { database: true, jobs: true, opensearch: true };

  it('a process is ready when every check passes', async () => {
    expect((await get('internal', '/health/live')).body).toEqual({ live: true });
    expect(await reported(all)).toMatchObject({ status: 200, ready: true });
  });
  it('one failed check is named without details, and changes no other', async () => {
    await reported(all);
    database.on = false;
    expect(await reported({ ...all, database: false })).toMatchObject({ status: 503, ready: false });
    expect((await get('internal', '/health/live')).status).toBe(200);
    const { text } = await get('internal', '/metrics');
    expect(text).toMatch(/acervo_ready\{check="database",service="test"\} 0/);
    expect(text).toMatch(/acervo_ready\{check="jobs",service="test"\} 1/);
  });
  it('a hanging check does not delay the readiness report', async () => {
    await reported(all);
    let end = (): void => undefined;
    waiting = new Promise((resolve) => (end = resolve));
    expect(await reported({ ...all, jobs: false })).toMatchObject({ status: 503 });
    // A report that waited for the check, or for its deadline, would take longer than some turns of the event loop.
    const report = http.app.get(HealthController).report();
    expect(await Promise.race([report, turnsOfTheLoop(10)])).toEqual({ ready: false, checks: { ...all, jobs: false } });
    end();
    expect(await reported(all)).toMatchObject({ status: 200 });
  });

  it('an absent optional engine is named and leaves the process ready', async () => {
    await reported(all);
    words.on = false;
    expect(await reported({ ...all, opensearch: false })).toMatchObject({ status: 200, ready: true });
  });
});

describe('metrics', () => {
  it('metrics count requests by route, never by path', async () => {
    await get('public', '/v1/things/T-hush?page=hush', { Authorization: 'Bearer session' });
    await get('public', '/v1/hush');
    const { text, headers } = await get('internal', '/metrics');
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toMatch(/_count\{.*method="GET",route="\/v1\/things\/:thing_code",status="200"\} 1/);
    expect(text).toMatch(/_count\{.*method="GET",route="unmatched",status="404"\} \d/);
    expect(text).not.toContain('hush');
  });
  it('probes and scrapes are counted apart from requests', async () => {
    await get('internal', '/health/live');
    await get('internal', '/metrics');
    const { text } = await get('internal', '/metrics');
    expect(text).toMatch(/^acervo_probes_total\{probe="live",status="200",service="test"\} [1-9]/m);
    expect(text).toMatch(/^acervo_probes_total\{probe="metrics",status="200",service="test"\} [1-9]/m);
    expect(text).not.toMatch(/^acervo_http_request_seconds.*route="\/(health|metrics)/m);
    expect(text).not.toMatch(/^acervo_probes_total.*status="404"/m);
  });
  it('a request whose client leaves before the answer counts as aborted', async () => {
    const socket = connect(listeners.public.port, '127.0.0.1', () => {
      socket.write('GET /v1/things/slow HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer session\r\n\r\n');
    });
    await until('the request waits', () => slowThing.waits === 1);
    socket.destroy();
    const aborted = /_count\{.*route="\/v1\/things\/:thing_code",status="aborted"\} 1$/m;
    await until('the aborted request is counted', async () => aborted.test((await get('internal', '/metrics')).text));
    slowThing.open();
  });
});

describe('a request', () => {
  it('a given request id is kept in answer, error and log', async () => {
    const { headers, body } = await get('public', '/v1/nothing', { 'X-Request-Id': 'Abc-1._:' });
    expect([headers['x-request-id'], Reflect.get(body as object, 'request_id')]).toEqual(['Abc-1._:', 'Abc-1._:']);
    const line = http
      .logged()
      .split('\n')
      .find((entry) => entry.includes('Abc-1._:'));
    expect(JSON.parse(line ?? '')).toMatchObject({ method: 'GET', route: 'unmatched', status: '404', msg: 'request' });
  });
  it.each(['a b', '<x>', 'x'.repeat(129), 'a,b', 'é'])(
    'the request id %j is replaced by a generated one',
    async (requestId) => {
      const answer = await raw('public', `GET /v1/nothing HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${requestId}`);
      expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n/);
      expect(answer.replace(/^Date:.*$/m, '')).not.toContain(`"${requestId}"`);
    },
  );
  it('two request ids are replaced by a generated one', async () => {
    const answer = await raw('public', 'GET /v1/x HTTP/1.1\r\nHost: x\r\nX-Request-Id: one\r\nX-Request-Id: two');
    expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}\r\n/);
  });
  it.each(['/v1/nothing', '/internal/things', '/v1/open/limited'])(
    'a request to %s is answered with safe headers',
    async (path) => {
      const { headers } = await get('public', path);
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("default-src 'self'") as string,
        'x-content-type-options': 'nosniff',
      });
      expect(headers).not.toHaveProperty('x-powered-by');
    },
  );
  it('a failed request is answered in the language of its audience', async () => {
    expect((await get('public', '/v1/things')).body).toMatchObject({ message: publicErrors.UNAUTHORIZED.message });
    expect((await get('public', '/documentos')).body).toMatchObject({ mensaje: internalMessages.UNAUTHORIZED });
  });
});
