import { randomUUID } from 'node:crypto';

/** Where a piece of work stands in the trace that it belongs to, as the W3C trace context tells it. */
export interface TraceContext {
  /** 32 hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 hexadecimal digits, not all zero. */
  readonly spanId: string;
  /** Whether whoever began the trace has it recorded. */
  readonly sampled: boolean;
  /** Told by somebody outside: the name of the trace is taken over, whether it is recorded is decided here. */
  readonly foreign?: boolean;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The context that a `traceparent` tells; undefined for whatever is none, which is no error of anybody's. */
export const readTraceparent = (text: unknown): TraceContext | undefined => {
  const [, traceId, spanId, flags] = (typeof text === 'string' ? TRACEPARENT.exec(text) : null) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, sampled: (parseInt(flags, 16) & 1) === 1 };
};

/** The `traceparent` of a context, as it stands in headers, rows and jobs. */
export const traceparentOf = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** 32 random hexadecimal digits, never all zero. `randomUUID` draws from a store, which a read of the kernel each is not. */
const randomHex = (): string => randomUUID().replaceAll('-', '');

/** The beginning of a trace that nobody records: it still joins log lines. */
export const newTrace = (): TraceContext => ({
  traceId: randomHex(),
  spanId: randomHex().slice(16),
  sampled: false,
});
