import type { Logger } from './logger';
import type { Metrics } from './metrics';
import { Tracer } from './tracer';

export interface TracingSettings {
  /** Base of an OTLP/HTTP receiver; null records nothing. */
  readonly url: string | null;
  /** Headers that the receiver requires: `name=value`, separated by commas. */
  readonly headers: string | null;
  /** Share of traces that are recorded, 0 to 1. */
  readonly share: number;
}

/** An OTLP/HTTP receiver, and the share of traces that it gets. */
export interface SpanReceiver {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly share: number;
}

const headersOf = (text: string | null): Record<string, string> =>
  Object.fromEntries(
    (text ?? '').split(',').flatMap((entry) => {
      const [name = '', ...value] = entry.split('=');
      return name.trim() === '' ? [] : [[name.trim(), value.join('=').trim()]];
    }),
  );

/** The tracer of one service. The recording library is loaded only where a receiver is configured. */
export const openTracer = async (
  { url, headers, share }: TracingSettings,
  { service, logger, metrics }: { readonly service: string; readonly logger: Logger; readonly metrics: Metrics },
): Promise<Tracer> => {
  if (url === null || url === '') return Tracer.none;
  const { OtlpTracer } = await import('./otlp/index.js');
  const receiver = { url: url.replace(/(?<!\/)\/+$/, ''), headers: headersOf(headers), share };
  return new OtlpTracer(service, receiver, logger, metrics);
};
