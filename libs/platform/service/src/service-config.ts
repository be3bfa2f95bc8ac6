import { Setting } from '@acervo/platform-config';
import type { TracingSettings } from '@acervo/platform-observability';
import { RedisConfig } from './redis-config';

/** What a service needs to reach its engines. */
export class ServiceConfig extends RedisConfig {
  @Setting({
    env: 'ACERVO_DATABASE_APP_PASSWORD',
    default: '',
    secret: true,
    description: 'Password of the role that the service works as',
  })
  readonly appPassword!: string;
  @Setting({
    env: 'ACERVO_DATABASE_OWNER_PASSWORD',
    default: '',
    secret: true,
    description: 'Password of the role that owns the schema; used to make partitions',
  })
  readonly ownerPassword!: string;
  @Setting({
    env: 'ACERVO_DATABASE_RECONCILER_PASSWORD',
    default: '',
    secret: true,
    description: 'Password of the role that looks for waiting work',
  })
  readonly reconcilerPassword!: string;
  @Setting({
    env: 'ACERVO_DATABASE_QUEUE_PASSWORD',
    default: '',
    secret: true,
    description: 'Password of the role of the job tables',
  })
  readonly queuePassword!: string;
  @Setting({
    env: 'ACERVO_DATABASE_POOL',
    default: 8,
    min: 1,
    max: 100,
    description: 'Connections for requests; consumers and stages have some of their own',
  })
  readonly databasePool!: number;
  @Setting({
    env: 'ACERVO_STAGE_CONCURRENCY',
    default: 2,
    min: 1,
    max: 64,
    description: 'Batches of stages that one process works at once',
  })
  readonly stageConcurrency!: number;
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
  @Setting({
    env: 'ACERVO_FAILPOINT',
    default: null,
    description: 'For tests: the place, and with :n the passage, at which the process kills itself',
  })
  readonly failpoint!: string | null;
}

export const tracingSettings = ({ otlpUrl, otlpHeaders, traceShare }: ServiceConfig): TracingSettings => ({
  url: otlpUrl,
  headers: otlpHeaders,
  share: traceShare,
});
