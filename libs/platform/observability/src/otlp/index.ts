import { type Context, ROOT_CONTEXT, SpanKind as Kind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceContext } from '../trace-context';
import { type Span, type SpanEnd, type SpanKind, type SpanStart, Tracer } from '../tracer';
import type { TracingParts } from '../tracing';

const KINDS: Readonly<Record<SpanKind, Kind>> = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  producer: Kind.PRODUCER,
  consumer: Kind.CONSUMER,
  internal: Kind.INTERNAL,
};
const COMPLAINT_MS = 60_000;
const EXPORT_MS = 5_000;
/** Longest that the end of a service waits for a receiver that is away. */
const PATIENCE_MS = 2_000;

/** Says when spans are lost: nobody waits for them, and nothing else would tell. */
const counting = (exporter: SpanExporter, { logger, metrics }: TracingParts): SpanExporter => {
  const spans = metrics.counter('spans_total', 'Spans that were handed over to the receiver, by outcome', ['outcome']);
  let toldAt = -COMPLAINT_MS;
  return {
    export: (batch, done) =>
      exporter.export(batch, (result) => {
        const isTaken = result.code === 0;
        spans.inc({ outcome: isTaken ? 'taken' : 'lost' }, batch.length);
        if (!isTaken && performance.now() - toldAt > COMPLAINT_MS) {
          toldAt = performance.now();
          logger.warn({ spans: batch.length }, 'spans are lost: the receiver of ACERVO_OTLP_URL did not take them');
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
};

/** The parent as the library wants it. What comes from outside is remote, what comes from other services is not. */
const under = (parent: TraceContext | undefined): Context =>
  parent === undefined
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, {
        traceId: parent.traceId,
        spanId: parent.spanId,
        traceFlags: parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
        isRemote: parent.foreign === true,
      });

/** Records spans with the library and sends them by OTLP over HTTP. Nothing of it is global, and no context is its own. */
class OtlpTracer extends Tracer {
  private readonly provider;
  private readonly tracer;

  constructor(parts: TracingParts) {
    super();
    const { service, url, headers, share } = parts;
    const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, headers, timeoutMillis: EXPORT_MS });
    const ratio = new TraceIdRatioBasedSampler(share);
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.namespace': 'acervo', 'service.name': service }),
      // What a service records, those behind it record. Elsewhere the name of the trace decides, for all alike: callers
      // outside have no say, and a service that records nothing hides nothing.
      sampler: new ParentBasedSampler({
        root: ratio,
        localParentNotSampled: ratio,
        remoteParentSampled: ratio,
        remoteParentNotSampled: ratio,
      }),
      spanProcessors: [new BatchSpanProcessor({ exporter: counting(exporter, parts), scheduledDelayMillis: 1_000 })],
    });
    this.tracer = this.provider.getTracer('acervo');
  }

  override start({ name, kind, attributes = {} }: SpanStart, parent: TraceContext | undefined): Span {
    const span = this.tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, under(parent));
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      context: { traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) === TraceFlags.SAMPLED },
      end: ({ name: known, failure, attributes: more = {} }: SpanEnd = {}) => {
        if (known !== undefined) span.updateName(known);
        span.setAttributes({ ...more, ...(failure === undefined ? {} : { 'error.type': failure }) });
        if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  override async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
    await Promise.race([this.provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }
}

export const openOtlp = (parts: TracingParts): Tracer => new OtlpTracer(parts);
