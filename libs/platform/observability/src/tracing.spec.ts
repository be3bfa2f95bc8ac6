import fc from 'fast-check';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import {
  createLogger,
  failureOf,
  inTraceOf,
  Metrics,
  openTracer,
  outsideTraces,
  readTraceparent,
  type TraceContext,
  Tracer,
  traceparentOf,
  workContext,
} from './index';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const span = { name: 'work', kind: 'internal' } as const;
const quiet = new Writable({ write: (_chunk, _encoding, done) => done() });

const under = <T>(trace: TraceContext, work: () => T): T => workContext.run({ trace }, work);

describe('a traceparent', () => {
  const hex = (length: number): fc.Arbitrary<string> =>
    fc
      .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
      .map((digits) => digits.join(''))
      .filter((text) => /[1-9a-f]/.test(text));

  it('a formatted traceparent parses to the same context', () => {
    const contexts = fc.record({ traceId: hex(32), spanId: hex(16), sampled: fc.boolean() });
    fc.assert(fc.property(contexts, (context) => expect(readTraceparent(traceparentOf(context))).toEqual(context)));
  });
  it.each([
    ['nothing', undefined],
    ['several', [`00-${TRACE}-${SPAN}-01`]],
    ['two in one', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['an unknown version', `ff-${TRACE}-${SPAN}-01`],
    ['a text', "'; drop table outbox; --"],
  ])('a traceparent that is %s is ignored without an error', (_name, text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });
});

describe('work', () => {
  it('work runs in its own trace, then in the previous one', () => {
    const outer: TraceContext = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true };
    workContext.run({ requestId: 'r', trace: outer }, () => {
      const inner = inTraceOf({ trace: `00-${TRACE}-${SPAN}-00` }, () => workContext.get());
      expect(inner).toEqual({ requestId: 'r', trace: { traceId: TRACE, spanId: SPAN, sampled: false } });
      expect(inTraceOf({ trace: null }, () => workContext.get()?.trace)).toBe(outer);
      expect(outsideTraces(() => workContext.traceparent())).toBeNull();
      expect(workContext.traceparent()).toBe(traceparentOf(outer));
    });
  });
  it('work names its trace in its log lines', () => {
    let text = '';
    const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void (text += chunk.toString())) });
    const logger = createLogger({ service: 'test', level: 'info', destination: stream });
    inTraceOf({ trace: `00-${TRACE}-${SPAN}-00` }, () => logger.info('done'));
    expect(JSON.parse(text)).toMatchObject({ trace_id: TRACE });
    expect(JSON.parse(text)).not.toHaveProperty('trace');
  });
  it('unrecorded work keeps its trace, or starts one for its logs', async () => {
    const seen = await Tracer.none.run(span, () => Tracer.none.run(span, async () => workContext.get()?.trace));
    expect(seen).toMatchObject({ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string, sampled: false });
  });
  it('a failure is recorded as a code or class, never a message', () => {
    expect(failureOf(Object.assign(new Error('hush'), { code: 'NOT_FOUND' }))).toBe('NOT_FOUND');
    expect(failureOf(new TypeError('hush'))).toBe('TypeError');
    expect(failureOf(Object.assign(new Error('hush'), { code: 'hush hush', name: 'hush hush' }))).toBe('Error');
    expect(failureOf('hush')).toBe('Error');
  });
});

describe('a receiver of spans', () => {
  let bodies: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => bodies.push(part.toString()));
    request.on('end', () => response.writeHead(status).end('{}'));
  });
  const metrics = (): Metrics => new Metrics('test');
  const open = (
    registry: Metrics,
    share = 1,
    logger = createLogger({ service: 't', level: 'info', destination: quiet }),
  ) =>
    openTracer(
      { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, headers: null, share },
      { service: 'test', logger, metrics: registry },
    );
  const exported = (): string[] =>
    bodies.flatMap((body) => [...body.matchAll(/"traceId":"(\w+)"/g)].map(([, id]) => id ?? ''));

  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    bodies = [];
    status = 200;
  });

  it('a receiver gets spans with their parents and failures', async () => {
    const registry = metrics();
    const tracer = await open(registry);
    const parent = { traceId: TRACE, spanId: SPAN, sampled: true };
    const failing = under(parent, () => tracer.run(span, () => Promise.reject(new TypeError('hush'))));
    await expect(failing).rejects.toThrow('hush');
    await tracer.close();
    const text = bodies.join('');
    for (const part of [TRACE, `"parentSpanId":"${SPAN}"`, '"name":"work"', 'TypeError', '"service.name"'])
      expect(text).toContain(part);
    expect(text).not.toContain('hush');
    expect(await registry.registry.metrics()).toContain('acervo_spans_total{outcome="taken",service="test"} 1');
  });
  it('the configured share applies to foreign traces, whatever they request', async () => {
    const tracer = await open(metrics(), 0);
    const foreign = { traceId: TRACE, spanId: SPAN, sampled: true, foreign: true };
    const seen = await under(foreign, () => tracer.run(span, async () => workContext.get()?.trace));
    const ours = { ...foreign, traceId: 'c'.repeat(32), foreign: false };
    await under(ours, () => tracer.run(span, () => Promise.resolve()));
    await tracer.close();
    expect(seen).toMatchObject({ traceId: TRACE, sampled: false });
    expect(exported()).toEqual(['c'.repeat(32)]);
  });
  it('a failing receiver is logged and counted, and delays no work', async () => {
    let text = '';
    const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void (text += chunk.toString())) });
    const registry = metrics();
    status = 400;
    const tracer = await open(registry, 1, createLogger({ service: 'test', level: 'info', destination: stream }));
    expect(await tracer.run(span, () => Promise.resolve(7))).toBe(7);
    await tracer.close();
    expect(text).toContain('spans are lost');
    expect(await registry.registry.metrics()).toContain('acervo_spans_total{outcome="lost",service="test"} 1');
  });
});
