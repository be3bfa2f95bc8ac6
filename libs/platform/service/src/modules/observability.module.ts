import { Module, type OnApplicationShutdown } from '@nestjs/common';
import type { DestinationStream } from 'pino';
import type { ServiceName } from '@acervo/contracts';
import { BaseConfig, BuildConfig, buildOf, SERVICE_NAME } from '@acervo/platform-config';
import { createLogger, Logger, Metrics, openTracer, Telemetry, Tracer } from '@acervo/platform-observability';
import { LOG_DESTINATION } from './runtime.module';
import { TracingConfig, tracingSettings } from '../settings/tracing-config';

const openLogger = (service: ServiceName, config: BaseConfig, destination: DestinationStream): Logger =>
  createLogger({ service, level: config.logLevel, destination });

const openMetrics = (service: ServiceName, build: BuildConfig): Metrics => {
  const metrics = new Metrics(service);
  metrics.describeBuild(buildOf(build));
  return metrics;
};

/** Logs, figures and spans of one application. */
@Module({
  providers: [
    { provide: Logger, inject: [SERVICE_NAME, BaseConfig, LOG_DESTINATION], useFactory: openLogger },
    { provide: Metrics, inject: [SERVICE_NAME, BuildConfig], useFactory: openMetrics },
    {
      provide: Tracer,
      inject: [SERVICE_NAME, TracingConfig, Logger, Metrics],
      useFactory: (service: ServiceName, config: TracingConfig, logger: Logger, metrics: Metrics) =>
        openTracer(tracingSettings(config), { service, logger, metrics }),
    },
    Telemetry,
  ],
  exports: [Logger, Metrics, Tracer, Telemetry],
})
export class ObservabilityModule implements OnApplicationShutdown {
  constructor(private readonly tracer: Tracer) {}

  onApplicationShutdown(): Promise<void> {
    return this.tracer.close();
  }
}
