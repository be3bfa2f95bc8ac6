import { getQueueToken } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Queue } from 'bullmq';
import type { Database } from '@acervo/platform-database';
import { Logger, Metrics, Telemetry } from '@acervo/platform-observability';
import { silent } from '@acervo/platform-testing';
import {
  JobBackend,
  StageBackoff,
  StageProcessor,
  StageQueueModule,
  StageRunner,
  Tasks,
  type WorkSignal,
  WorkSignals,
} from '../src';

/** The queue and the processor of a service, as a separate application. */
export interface StageQueue {
  readonly workSignals: WorkSignals;
  readonly processor: StageProcessor;
  readonly queue: Queue<WorkSignal, void>;
  readonly metrics: Metrics;
  close(): Promise<void>;
}

export interface StageQueueSettings {
  readonly tasks: Tasks;
  readonly database: Database;
  readonly jobs: () => JobBackend;
  readonly backoffMs?: number;
}

const SERVICE = 'ingestion';

/** Boots the module as a service does; nothing is worked before its processor starts. */
export const openStageQueue = async (settings: StageQueueSettings): Promise<StageQueue> => {
  const { tasks, database, jobs, backoffMs } = settings;
  const metrics = new Metrics('test');
  const telemetry = new Telemetry(silent, metrics);
  const runner = (): StageRunner =>
    new StageRunner(SERVICE, tasks, database, telemetry, undefined, new StageBackoff(backoffMs));

  @Module({
    providers: [
      { provide: Logger, useFactory: () => silent },
      { provide: Tasks, useFactory: () => tasks },
      { provide: StageRunner, useFactory: runner },
      { provide: JobBackend, useFactory: jobs },
    ],
    exports: [Logger, Tasks, StageRunner, JobBackend],
  })
  class WorkModule {}

  const module = await Test.createTestingModule({
    imports: [StageQueueModule.forService(SERVICE, [WorkModule])],
  }).compile();
  await module.init();
  return {
    workSignals: module.get(WorkSignals),
    processor: module.get(StageProcessor),
    queue: module.get<Queue<WorkSignal, void>>(getQueueToken(SERVICE)),
    metrics,
    close: () => module.close(),
  };
};
