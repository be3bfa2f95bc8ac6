import type { Logger } from './logger';
import type { Metrics } from './metrics';
import { Tracer } from './tracer';

/** Logs, figures and spans of one application, for what needs all three. */
export class Telemetry {
  constructor(
    readonly logger: Logger,
    readonly metrics: Metrics,
    readonly tracer: Tracer = Tracer.none,
  ) {}
}
