import { randomUUID } from 'node:crypto';

/** The position of work in its trace, as the W3C trace context defines it. */
export interface TraceContext {
  /** 32 hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 hexadecimal digits, not all zero. */
  readonly spanId: string;
  /** Whether the origin of the trace records it. */
  readonly sampled: boolean;
  /** Received from outside: its trace id is adopted, whether it is recorded is decided here. */
  readonly foreign?: boolean;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Parses a `traceparent`; undefined for an invalid one, which is not an error. */
export const readTraceparent = (text: unknown): TraceContext | undefined => {
  const [, traceId, spanId, flags] = (typeof text === 'string' ? TRACEPARENT.exec(text) : null) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, sampled: (parseInt(flags, 16) & 1) === 1 };
};

/** Formats a context as a `traceparent` for headers, rows and jobs. */
export const traceparentOf = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/**
 * 32 random hexadecimal digits, never all zero. `randomUUID` draws from a cache instead of reading from the kernel each
 * time.
 */
const randomHex = (): string => randomUUID().replaceAll('-', '');

/** A new trace that is not recorded: it still joins log lines. */
export const newTrace = (): TraceContext => ({
  traceId: randomHex(),
  spanId: randomHex().slice(16),
  sampled: false,
});
