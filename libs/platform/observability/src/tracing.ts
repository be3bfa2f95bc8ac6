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

export interface TracingDependencies {
  readonly service: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly share: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
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
  dependencies: Pick<TracingDependencies, 'service' | 'logger' | 'metrics'>,
): Promise<Tracer> => {
  if (url === null || url === '') return Tracer.none;
  const { openOtlp } = await import('./otlp/index.js');
  return openOtlp({ ...dependencies, url: url.replace(/\/+$/, ''), headers: headersOf(headers), share });
};
