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
import { atMost } from '@acervo/platform-resilience';
import type { Logger } from '../logger';
import { type Metrics, SPANS } from '../metrics';
import type { TraceContext } from '../trace-context';
import { type Span, type SpanEnd, type SpanKind, type SpanStart, Tracer } from '../tracer';
import type { SpanReceiver } from '../tracing';

const KINDS: Readonly<Record<SpanKind, Kind>> = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  producer: Kind.PRODUCER,
  consumer: Kind.CONSUMER,
  internal: Kind.INTERNAL,
};
const COMPLAINT_MS = 60_000;
const EXPORT_MS = 5_000;
/** Longest that the end of a service waits for an absent receiver. */
const PATIENCE_MS = 2_000;

/** Counts and logs lost spans: no caller waits for an export, so a loss would go unnoticed. */
const counting = (exporter: SpanExporter, logger: Logger, metrics: Metrics): SpanExporter => {
  const spans = metrics.counter(SPANS, { outcome: ['taken', 'lost'] });
  let warnedAt = -COMPLAINT_MS;
  return {
    export: (batch, done) =>
      exporter.export(batch, (result) => {
        const isTaken = result.code === 0;
        spans.inc({ outcome: isTaken ? 'taken' : 'lost' }, batch.length);
        if (!isTaken && performance.now() - warnedAt > COMPLAINT_MS) {
          warnedAt = performance.now();
          logger.warn({ spans: batch.length }, 'spans are lost: the receiver of ACERVO_OTLP_URL did not accept them');
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
};

/** The parent in the form of the library. A parent from outside is remote, one from another service is not. */
const under = (parent: TraceContext | undefined): Context =>
  parent === undefined
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, {
        traceId: parent.traceId,
        spanId: parent.spanId,
        traceFlags: parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
        isRemote: parent.foreign === true,
      });

/**
 * Records spans with the library and sends them by OTLP over HTTP. It registers nothing globally and has no context of
 * its own.
 */
export class OtlpTracer extends Tracer {
  private readonly provider;
  private readonly tracer;

  constructor(service: string, { url, headers, share }: SpanReceiver, logger: Logger, metrics: Metrics) {
    super();
    const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, headers, timeoutMillis: EXPORT_MS });
    const ratio = new TraceIdRatioBasedSampler(share);
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.namespace': 'acervo', 'service.name': service }),
      // A trace that one service records is recorded by the services after it. Otherwise the trace id decides, for all
      // services alike. So an outside caller cannot decide, and a service that records nothing hides nothing.
      sampler: new ParentBasedSampler({
        root: ratio,
        localParentNotSampled: ratio,
        remoteParentSampled: ratio,
        remoteParentNotSampled: ratio,
      }),
      spanProcessors: [
        new BatchSpanProcessor({ exporter: counting(exporter, logger, metrics), scheduledDelayMillis: 1_000 }),
      ],
    });
    this.tracer = this.provider.getTracer('acervo');
  }

  override start({ name, kind, attributes = {} }: SpanStart, parent: TraceContext | undefined): Span {
    const span = this.tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, under(parent));
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      context: { traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) === TraceFlags.SAMPLED },
      end: ({ name: finalName, failure, attributes: more = {} }: SpanEnd = {}) => {
        if (finalName !== undefined) span.updateName(finalName);
        span.setAttributes({ ...more, ...(failure === undefined ? {} : { 'error.type': failure }) });
        if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  override close(): Promise<void> {
    return atMost(
      PATIENCE_MS,
      this.provider.shutdown().catch(() => undefined),
    );
  }
}
