import { Module } from '@nestjs/common';
import { ScansModule } from '../scans/scans.module';
import { OrphansHandlers } from './orphans.handlers';
import { ProgressStore } from './progress.store';
import { QueueHandlers } from './queue.handlers';
import { QueueStore } from './queue.store';
import { SkillQueueStore } from './skill-queue.store';

/** The work on documents as callers see it. */
@Module({
  imports: [ScansModule],
  providers: [SkillQueueStore, QueueStore, ProgressStore, QueueHandlers, OrphansHandlers],
})
export class DocumentQueueModule {}
