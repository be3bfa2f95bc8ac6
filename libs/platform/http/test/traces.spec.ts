import request from 'supertest';
import {
  newTrace,
  type Span,
  type SpanEnd,
  type SpanStart,
  type TraceContext,
  Tracer,
} from '@acervo/platform-observability';
import { until } from '@acervo/platform-testing';
import { testApp, type TestApp } from './support';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${SPAN}-01`;

/** Records its spans. */
class Noting extends Tracer {
  spans: { start: SpanStart; parent: TraceContext | undefined; end: SpanEnd | undefined }[] = [];

  override start(start: SpanStart, parent: TraceContext | undefined): Span {
    return { context: parent ?? newTrace(), end: (end) => void this.spans.push({ start, parent, end }) };
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
    tracer.spans = [];
  });
  afterAll(() => http.close());

  const get = (path: string, header = traceparent): Promise<unknown> =>
    request(http.handler).get(path).set('Authorization', 'Bearer session').set('traceparent', header).then();
  /** A span ends when the connection closes, which may be after the answer is read. */
  const ended = async () => {
    await until('a span ends', () => tracer.spans.length > 0);
    return tracer.spans;
  };

  it('a foreign trace continues, and does not decide what is recorded', async () => {
    await get('/v1/things/hush');
    const [{ parent, end } = { parent: undefined, end: undefined }] = await ended();
    expect(parent).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true, foreign: true });
    expect(end).toEqual({
      name: 'GET /v1/things/:thing_code',
      attributes: { 'http.route': '/v1/things/:thing_code', 'http.response.status_code': 200 },
      failure: undefined,
    });
    expect(JSON.stringify(tracer.spans)).not.toContain('hush');
    expect(http.logged()).toContain(`"trace_id":"${TRACE}"`);
  });
  it.each([
    ['/v1/open/crash', '500'],
    ['/v1/things/invisible', undefined],
  ])('a request to %s ends with the failure %s', async (path, failure) => {
    await get(path);
    expect((await ended())[0]?.end).toMatchObject({ failure });
  });
  it('a request with an invalid traceparent starts its own trace', async () => {
    await get('/v1/things', 'nonsense');
    expect((await ended())[0]?.parent).toBeUndefined();
    expect(http.logged()).not.toContain('nonsense');
  });
  it('a request of another service keeps its trace without a span', async () => {
    const other = TRACE.split('').reverse().join('');
    await get('/internal/things', `00-${other}-${SPAN}-01`);
    expect(tracer.spans).toEqual([]);
    expect(http.logged()).toContain(`"trace_id":"${other}"`);
  });
});
