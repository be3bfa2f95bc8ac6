import { BullModule, BullRegistrar } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import { Logger } from '@acervo/platform-observability';
import { WorkSignals } from './work-signals';
import './jobs/backend-by-connection';
import { JobBackend } from './jobs/job-backend';
import { JobWarnings } from './jobs/job-warnings';
import { StageProcessor } from './stage-processor';
import { StageRunner } from './stage-runner';
import { type QueueWorker, queueWorkersOf } from './queue-worker';
import { CAPACITIES } from './stages';
import { Tasks } from './tasks';
import { queueNameOf, queueTokensOf, type SignalQueue, WorkQueues } from './work-queues';

/** The queues of a service and the processor of its stages, on the backend that its `JobBackend` names. */
@Module({})
export class StageQueueModule implements BeforeApplicationShutdown {
  constructor(
    private readonly processor: StageProcessor,
    private readonly workSignals: WorkSignals,
  ) {}

  /** @param imports modules that export JobBackend, StageRunner, Tasks and Logger */
  static forService(service: ServiceName, imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    const workers = queueWorkersOf(service);
    return {
      module: StageQueueModule,
      imports: [
        ...imports,
        BullModule.forRootAsync({
          imports,
          inject: [JobBackend],
          useFactory: ({ options }: JobBackend) => options,
          // The workers are opened when the service starts its background work.
          extraOptions: { manualRegistration: true },
        }),
        BullModule.registerQueue(...CAPACITIES.map((capacity) => ({ name: queueNameOf(service, capacity) }))),
      ],
      providers: [
        { provide: JobWarnings, inject: [Logger], useFactory: (logger: Logger) => new JobWarnings(logger) },
        {
          provide: WorkSignals,
          inject: [JobBackend, JobWarnings, ...queueTokensOf(service)],
          useFactory: (jobs: JobBackend, warnings: JobWarnings, ...queues: SignalQueue[]) =>
            new WorkSignals(new WorkQueues(queues), jobs, warnings),
        },
        ...workers,
        {
          provide: StageProcessor,
          inject: [BullRegistrar, StageRunner, Tasks, WorkSignals, JobWarnings, ...workers],
          useFactory: (
            registrar: BullRegistrar,
            runner: StageRunner,
            tasks: Tasks,
            signals: WorkSignals,
            warnings: JobWarnings,
            ...opened: QueueWorker[]
          ) => new StageProcessor(registrar, runner, tasks, signals, warnings, opened),
        },
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
