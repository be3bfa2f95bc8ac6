import { Injectable } from '@nestjs/common';
import { Logger } from './logger';
import { Metrics } from './metrics';
import { Tracer } from './tracer';

/** Logs, figures and spans of one application, for what needs all three. */
@Injectable()
export class Telemetry {
  constructor(
    readonly logger: Logger,
    readonly metrics: Metrics,
    readonly tracer: Tracer = Tracer.none,
  ) {}
}
