import { failureOf, readTraceparent, type Span, type Tracer, traceparentOf } from '@acervo/platform-observability';
import type { Claimed, Lease } from './lease';
import type { Stage } from './stages';

/** The spans of one batch: one per task, since each task belongs to the trace that caused it. */
export class StageSpans {
  private readonly spans = new Map<Lease, Span>();
  private readonly failures = new Map<Lease, string>();
  /** The leased tasks; work that they cause is recorded under their spans. */
  readonly leases: readonly Claimed[];

  constructor(tracer: Tracer, stage: Stage, leases: readonly Claimed[], rung: string | null | undefined) {
    this.leases = leases.map((lease) => {
      const attributes = { 'acervo.batch': leases.length, 'acervo.attempts': lease.attempts };
      const parent = readTraceparent(lease.trace) ?? readTraceparent(rung);
      const span = tracer.start({ name: `stage ${stage.name}`, kind: 'internal', attributes }, parent);
      const traced = { ...lease, trace: traceparentOf(span.context) };
      this.spans.set(traced, span);
      return traced;
    });
  }

  failed(leases: readonly Lease[], error: unknown): void {
    for (const lease of leases) this.failures.set(lease, failureOf(error));
  }

  end(): void {
    for (const [lease, span] of this.spans) span.end({ failure: this.failures.get(lease) });
  }
}
