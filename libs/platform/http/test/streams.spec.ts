import { until } from '@acervo/platform-testing';
import { Draining, type RunningServer, serve } from '../src';
import { SlowReader, StreamsModule, seen, untilBehind } from './streams';
import { testApp, type TestApp } from './support';

const READERS = 8;
const FRAMES = 20_000;
const SIZE = 1_000;
const LONG = `/v1/streams?frames=${FRAMES}&size=${SIZE}`;

let http: TestApp;
let server: RunningServer;

beforeEach(async () => {
  Object.assign(seen, { sent: 0, ended: 0, gone: 0 });
  http = await testApp({ module: StreamsModule, authenticated: false });
  server = await serve('public', http.handler, '127.0.0.1', 0);
});
afterEach(async () => {
  await server.close(0);
  await http.close();
});

const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${server.port}${path}`);

/** Clients with streams of many frames, of which they read none so far. */
const readers = (): Promise<SlowReader[]> =>
  Promise.all(Array.from({ length: READERS }, () => SlowReader.open(server.port, LONG)));

describe('an answer that streams', () => {
  it('frames leave as server-sent events, with declared fields alone', async () => {
    const answer = await get('/v1/streams?frames=2&size=3');
    expect(['content-type', 'cache-control', 'x-accel-buffering'].map((name) => answer.headers.get(name))).toEqual([
      'text/event-stream; charset=utf-8',
      'no-cache, no-transform',
      'no',
    ]);
    expect(await answer.text()).toBe('data: {"text":"xxx"}\n\ndata: {"text":"xxx"}\n\ndata: {"done":2}\n\n');
  });

  it('an error before the first frame is an ordinary answer', async () => {
    const answer = await get('/v1/streams/absent');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' });
    expect((await get('/v1/streams?frames=-1')).status).toBe(422);
  });

  it('an error behind the first frame is the last frame', async () => {
    const answer = await get('/v1/streams/failing');
    expect(await answer.text()).toBe('data: {"text":"begun"}\n\ndata: {"error":"RangeError"}\n\n');
    expect(http.logged()).toContain('a stream failed after its first frame');
  });

  it('frames are made as fast as they are read, and others are served meanwhile', async () => {
    const clients = await readers();
    expect(await untilBehind()).toBeLessThan((READERS * FRAMES) / 2);
    expect((await get('/v1/streams?frames=1')).status).toBe(200);
    expect(await Promise.all(clients.map((client) => client.end()))).toEqual(Array(READERS).fill(`{"done":${FRAMES}}`));
  });

  it('a client that leaves ends the work on its stream', async () => {
    const clients = await readers();
    const waiting = await SlowReader.open(server.port, '/v1/streams/waiting');
    await untilBehind();
    for (const client of [...clients, waiting]) client.leave();
    await until('the handlers end', () => seen.ended === READERS + 1 && seen.gone === 1);
    expect(seen.sent).toBeLessThan(READERS * FRAMES);
  });

  it('a client that leaves before the first frame ends its handler', async () => {
    const client = await SlowReader.open(server.port, '/v1/streams/late');
    await get('/v1/streams?frames=1');
    client.leave();
    await until('both handlers end', () => seen.ended === 2);
    expect(seen.gone).toBe(0);
  });

  it('a process that stops ends every stream with its last frame', async () => {
    const clients = await readers();
    await untilBehind();
    http.app.get(Draining).begin();
    server.drain();
    const [ends] = await Promise.all([Promise.all(clients.map((client) => client.end())), server.close()]);
    expect(ends.filter((end) => /^\{"done":\d+\}$/.test(end))).toHaveLength(READERS);
    expect(seen.sent).toBeLessThan(READERS * FRAMES);
  });

  it('a stream counts with the time to its first frame', async () => {
    await (await get('/v1/streams?frames=3')).text();
    await until('the line of the request', () => http.logged().includes('streamedMs'));
  });
});
