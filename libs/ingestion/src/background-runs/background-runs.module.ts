import { Module } from '@nestjs/common';
import { BackgroundRuns } from './background-runs';

/** Queues runs of skills that no user requests. */
@Module({ providers: [BackgroundRuns], exports: [BackgroundRuns] })
export class BackgroundRunsModule {}
