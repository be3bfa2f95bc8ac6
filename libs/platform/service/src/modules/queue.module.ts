import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import type { ServiceName } from '@acervo/contracts';
import { QUEUE_ROLE, reconcilerRole } from '@acervo/platform-database';
import { ReadinessChecks } from '@acervo/platform-http';
import { Failpoints } from '@acervo/platform-messaging';
import { Logger } from '@acervo/platform-observability';
import {
  WorkSignals,
  JobBackend,
  PostgresJobs,
  RedisJobs,
  TaskReconciler,
  StageFailpoints,
  StageQueueModule,
  StageRunner,
  Tasks,
  WorkFigures,
  WorkStore,
} from '@acervo/platform-queue';
import { ConnectionBudget } from '../settings/connection-budget';
import { DatabaseLogins } from '../settings/connections';
import { RolesConfig } from '../settings/roles-config';
import { StageWorkers } from './stage-workers';
import { WorkConfig } from '../settings/work-config';
import { DatabaseModule } from './database.module';
import { MessagingModule } from './messaging.module';
import { ObservabilityModule } from './observability.module';
import { RedisAccess } from './redis-access';
import { RedisModule } from './redis.module';

/** Work in the tables of a service, and the backend of the jobs that signal it. */
@Module({
  imports: [ObservabilityModule, DatabaseModule, MessagingModule, RedisModule],
  providers: [
    Tasks,
    WorkStore,
    StageRunner,
    { provide: StageFailpoints, useExisting: Failpoints },
    {
      provide: JobBackend,
      inject: [RedisAccess, WorkConfig, RolesConfig, DatabaseLogins, ConnectionBudget],
      useFactory: (
        redis: RedisAccess,
        { queue }: WorkConfig,
        roles: RolesConfig,
        logins: DatabaseLogins,
        { jobs: max }: ConnectionBudget,
      ) =>
        queue === 'redis'
          ? new RedisJobs(redis.client)
          : new PostgresJobs({ ...logins.connection(QUEUE_ROLE, roles.queuePassword), max }),
    },
  ],
  exports: [Tasks, WorkStore, JobBackend, StageRunner],
})
class WorkModule {}

/** Stages of a service: work in its tables, signalled by jobs, claimed by lease. */
@Module({})
export class QueueModule implements OnModuleInit {
  constructor(
    private readonly workSignals: WorkSignals,
    private readonly readiness: ReadinessChecks,
  ) {}

  static forService(service: ServiceName): DynamicModule {
    return {
      module: QueueModule,
      imports: [
        ObservabilityModule,
        DatabaseModule,
        WorkModule,
        StageQueueModule.forService(service, [ObservabilityModule, WorkModule]),
      ],
      providers: [
        StageWorkers,
        {
          provide: TaskReconciler,
          inject: [DatabaseLogins, RolesConfig, WorkSignals, Logger],
          useFactory: (logins: DatabaseLogins, roles: RolesConfig, workSignals: WorkSignals, logger: Logger) => {
            const connection = logins.connection(reconcilerRole(service), roles.reconcilerPassword);
            return new TaskReconciler(service, connection, workSignals, logger);
          },
        },
        WorkFigures,
      ],
      exports: [WorkModule, StageQueueModule, StageWorkers, TaskReconciler],
    };
  }

  onModuleInit(): void {
    // The check of the database covers jobs in it. Without signals tasks wait, or run at once where they are enqueued;
    // everything else continues.
    if (this.workSignals.remote)
      this.readiness.add({ name: 'jobs', optional: true, check: () => this.workSignals.ping() });
  }
}
