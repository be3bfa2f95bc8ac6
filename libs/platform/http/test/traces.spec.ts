import request from 'supertest';
import {
  newTrace,
  type Span,
  type SpanEnd,
  type SpanStart,
  type TraceContext,
  Tracer,
} from '@acervo/platform-observability';
import { testApp, type TestApp } from './support';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${SPAN}-01`;

/** Keeps what it is told. */
class Noting extends Tracer {
  told: { start: SpanStart; parent: TraceContext | undefined; end: SpanEnd | undefined }[] = [];

  override start(start: SpanStart, parent: TraceContext | undefined): Span {
    return { context: parent ?? newTrace(), end: (end) => void this.told.push({ start, parent, end }) };
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}

describe('a request', () => {
  const tracer = new Noting();
  let http: TestApp;
  beforeAll(async () => {
    http = await testApp({ tracer });
  });
  beforeEach(() => {
    tracer.told = [];
  });
  afterAll(() => http.close());

  const get = (path: string, given = traceparent): Promise<unknown> =>
    request(http.handler).get(path).set('Authorization', 'Bearer session').set('traceparent', given).then();
  /** A span ends when the connection is told, which may be after the answer was read. */
  const ended = async () => {
    for (const end = Date.now() + 5_000; tracer.told.length === 0 && Date.now() < end;)
      await new Promise((resolve) => setImmediate(resolve));
    return tracer.told;
  };

  it('goes on in the trace of a stranger, who has no say in what is recorded', async () => {
    await get('/v1/things/hush');
    const [{ parent, end } = { parent: undefined, end: undefined }] = await ended();
    expect(parent).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true, foreign: true });
    expect(end).toEqual({
      name: 'GET /v1/things/:thing_code',
      attributes: { 'http.route': '/v1/things/:thing_code', 'http.response.status_code': 200 },
      failure: undefined,
    });
    expect(JSON.stringify(tracer.told)).not.toContain('hush');
    expect(http.logged()).toContain(`"trace_id":"${TRACE}"`);
  });
  it.each([
    ['/v1/open/crash', '500'],
    ['/v1/things/invisible', undefined],
  ])('to %s ends with the failure %s', async (path, failure) => {
    await get(path);
    expect((await ended())[0]?.end).toMatchObject({ failure });
  });
  it('begins a trace of its own where what it was told is none', async () => {
    await get('/v1/things', 'nonsense');
    expect((await ended())[0]?.parent).toBeUndefined();
    expect(http.logged()).not.toContain('nonsense');
  });
  it('of another service is believed, and leaves its span to the call', async () => {
    const other = TRACE.split('').reverse().join('');
    await get('/internal/things', `00-${other}-${SPAN}-01`);
    expect(tracer.told).toEqual([]);
    expect(http.logged()).toContain(`"trace_id":"${other}"`);
  });
});
