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

  it('is read back as what was written', () => {
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
    ['a version of its own', `ff-${TRACE}-${SPAN}-01`],
    ['a text', "'; drop table outbox; --"],
  ])('that is %s tells nothing, and nobody fails', (_name, text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });
});

describe('work', () => {
  it('goes on in the trace that it came with, and afterwards in the one before', () => {
    const outer: TraceContext = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true };
    workContext.run({ requestId: 'r', trace: outer }, () => {
      const inner = inTraceOf({ trace: `00-${TRACE}-${SPAN}-00` }, () => workContext.get());
      expect(inner).toEqual({ requestId: 'r', trace: { traceId: TRACE, spanId: SPAN, sampled: false } });
      expect(inTraceOf({ trace: null }, () => workContext.get()?.trace)).toBe(outer);
      expect(outsideTraces(() => workContext.traceparent())).toBeNull();
      expect(workContext.traceparent()).toBe(traceparentOf(outer));
    });
  });
  it('names its trace in its log lines', () => {
    let text = '';
    const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void (text += chunk.toString())) });
    const logger = createLogger({ service: 'test', level: 'info', destination: stream });
    inTraceOf({ trace: `00-${TRACE}-${SPAN}-00` }, () => logger.info('done'));
    expect(JSON.parse(text)).toMatchObject({ trace_id: TRACE });
    expect(JSON.parse(text)).not.toHaveProperty('trace');
  });
  it('that nobody records stays in its trace, or begins one that its log lines share', async () => {
    const seen = await Tracer.none.run(span, () => Tracer.none.run(span, async () => workContext.get()?.trace));
    expect(seen).toMatchObject({ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string, sampled: false });
  });
  it('tells of its failure a code or a class, and never a message', () => {
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
  const open = (own: Metrics, share = 1, logger = createLogger({ service: 't', level: 'info', destination: quiet })) =>
    openTracer(
      { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, headers: null, share },
      { service: 'test', logger, metrics: own },
    );
  const told = (): string[] =>
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

  it('is told what was done, under what led to it, and how it failed', async () => {
    const own = metrics();
    const tracer = await open(own);
    const parent = { traceId: TRACE, spanId: SPAN, sampled: true };
    const failing = under(parent, () => tracer.run(span, () => Promise.reject(new TypeError('hush'))));
    await expect(failing).rejects.toThrow('hush');
    await tracer.close();
    const text = bodies.join('');
    for (const part of [TRACE, `"parentSpanId":"${SPAN}"`, '"name":"work"', 'TypeError', '"service.name"'])
      expect(text).toContain(part);
    expect(text).not.toContain('hush');
    expect(await own.registry.metrics()).toContain('acervo_spans_total{outcome="taken",service="test"} 1');
  });
  it('is told the share that we want of what others began, whatever they say', async () => {
    const tracer = await open(metrics(), 0);
    const foreign = { traceId: TRACE, spanId: SPAN, sampled: true, foreign: true };
    const seen = await under(foreign, () => tracer.run(span, async () => workContext.get()?.trace));
    const ours = { ...foreign, traceId: 'c'.repeat(32), foreign: false };
    await under(ours, () => tracer.run(span, () => Promise.resolve()));
    await tracer.close();
    expect(seen).toMatchObject({ traceId: TRACE, sampled: false });
    expect(told()).toEqual(['c'.repeat(32)]);
  });
  it('that takes nothing is told of in the log and the figures, and holds nobody up', async () => {
    let text = '';
    const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void (text += chunk.toString())) });
    const own = metrics();
    status = 400;
    const tracer = await open(own, 1, createLogger({ service: 'test', level: 'info', destination: stream }));
    expect(await tracer.run(span, () => Promise.resolve(7))).toBe(7);
    await tracer.close();
    expect(text).toContain('spans are lost');
    expect(await own.registry.metrics()).toContain('acervo_spans_total{outcome="lost",service="test"} 1');
  });
});
