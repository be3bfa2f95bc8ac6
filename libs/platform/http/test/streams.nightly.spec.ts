import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Draining, type RunningServer, serve } from '../src';
import { SlowReader, StreamsModule, seen, untilBehind } from './streams';
import { testApp, type TestApp } from './support';

const READERS = 200;
const FRAMES = 10_000;
const PATH = `/v1/streams?frames=${FRAMES}&size=1000`;
/** What 200 readers that are behind may cost the process: buffers of streams and connections. */
const MOST_BYTES = 100_000_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let http: TestApp;
let server: RunningServer;

beforeEach(async () => {
  Object.assign(seen, { sent: 0, ended: 0, gone: 0 });
  http = await testApp({ module: StreamsModule, authenticated: false });
  server = await serve('public', http.handler, '127.0.0.1', 0, undefined, { stalledMs: 120_000 });
});
afterEach(async () => {
  await server.close(0);
  await http.close();
});

/** Bytes that the process holds on to; what it may free at any time does not count. */
const inUse = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const status = async (): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/v1/streams?frames=1`);
  await answer.text();
  return answer.status;
};

describe('10,000 frames to 200 slow readers', () => {
  it('memory stays level, others are served, and a stop ends every stream with its last frame', async () => {
    const before = inUse();
    const clients = await Promise.all(Array.from({ length: READERS }, () => SlowReader.open(server.port, PATH)));
    const sent = await untilBehind();
    const grown = inUse() - before;
    expect(sent).toBeLessThan(READERS * FRAMES);
    expect(grown).toBeLessThan(MOST_BYTES);
    expect(await Promise.all(Array.from({ length: 20 }, status))).toEqual(Array(20).fill(200));
    http.app.get(Draining).begin();
    server.drain();
    const [ends] = await Promise.all([Promise.all(clients.map((client) => client.end())), server.close()]);
    expect(ends.filter((end) => /^\{"done":\d+\}$/.test(end))).toHaveLength(READERS);
  });

  it('a handler that does not end is cut with the frame of its failure', async () => {
    const client = await SlowReader.open(server.port, '/v1/streams/waiting');
    const end = client.end();
    await status();
    http.app.get(Draining).begin();
    expect(await end).toBe('{"error":"StreamCut"}');
  });
});
