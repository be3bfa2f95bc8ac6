import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { ServiceName } from '@acervo/contracts';
import { Logger } from '@acervo/platform-observability';
import { WorkSignals } from './work-signals';
import './jobs/backend-by-connection';
import { JobBackend, type WorkSignal } from './jobs/job-backend';
import { JobWarnings } from './jobs/job-warnings';
import { StageProcessor, stageProcessorOf } from './stage-processor';

/** The queue of a service and the processor of its stages, on the backend that its `JobBackend` names. */
@Module({})
export class StageQueueModule implements BeforeApplicationShutdown {
  constructor(
    private readonly processor: StageProcessor,
    private readonly workSignals: WorkSignals,
  ) {}

  /** @param imports modules that export JobBackend, StageRunner, Tasks and Logger */
  static forService(service: ServiceName, imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return {
      module: StageQueueModule,
      imports: [
        ...imports,
        BullModule.forRootAsync({
          imports,
          inject: [JobBackend],
          useFactory: ({ options }: JobBackend) => options,
          // The worker is opened when the service starts its background work.
          extraOptions: { manualRegistration: true },
        }),
        BullModule.registerQueue({ name: service }),
      ],
      providers: [
        { provide: JobWarnings, inject: [Logger], useFactory: (logger: Logger) => new JobWarnings(logger) },
        {
          provide: WorkSignals,
          inject: [getQueueToken(service), JobBackend, JobWarnings],
          useFactory: (queue: Queue<WorkSignal, void>, jobs: JobBackend, warnings: JobWarnings) =>
            new WorkSignals(queue, jobs, warnings),
        },
        { provide: StageProcessor, useClass: stageProcessorOf(service) },
      ],
      exports: [WorkSignals, StageProcessor],
    };
  }

  /** Runs before the modules of the job library close: they would wait for an absent engine. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.processor.stop();
    await this.workSignals.close();
  }
}
