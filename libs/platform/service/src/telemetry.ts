import { Injectable } from '@nestjs/common';
import { Logger, Metrics, Tracer } from '@acervo/platform-observability';

/** Logs, figures and spans of one application, for what needs all three. */
@Injectable()
export class Telemetry {
  constructor(
    readonly logger: Logger,
    readonly metrics: Metrics,
    readonly tracer: Tracer,
  ) {}

  get all(): Pick<Telemetry, 'logger' | 'metrics' | 'tracer'> {
    const { logger, metrics, tracer } = this;
    return { logger, metrics, tracer };
  }
}
