import { Setting } from '@acervo/platform-config';
import type { TracingSettings } from '@acervo/platform-observability';

/** Destination of spans. */
export class TracingConfig {
  @Setting({
    env: 'ACERVO_OTLP_URL',
    default: null,
    description: 'Base of an OTLP/HTTP receiver, such as http://collector:4318; without it no spans are recorded',
  })
  readonly otlpUrl!: string | null;
  @Setting({
    env: 'ACERVO_OTLP_HEADERS',
    default: null,
    secret: true,
    description: 'name=value, by commas: what that receiver asks for',
  })
  readonly otlpHeaders!: string | null;
  @Setting({
    env: 'ACERVO_TRACE_SHARE',
    default: 1,
    min: 0,
    max: 1,
    description: 'Share of the traces that begin at this service which are recorded',
  })
  readonly traceShare!: number;
}

export const tracingSettings = ({ otlpUrl, otlpHeaders, traceShare }: TracingConfig): TracingSettings => ({
  url: otlpUrl,
  headers: otlpHeaders,
  share: traceShare,
});
