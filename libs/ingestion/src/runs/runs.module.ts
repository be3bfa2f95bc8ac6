import { Module } from '@nestjs/common';
import { AttachmentsModule } from '../attachments/attachments.module';
import { DocumentStateModule } from '../documents/document-state.module';
import { LocationStoreModule } from '../locations/location-store.module';
import { DocumentWork } from '../pipeline/document-work';
import { PipelineSettingsModule } from '../pipeline/pipeline-settings.module';
import { FileAccessModule } from '../file-access/file-access.module';
import { BatchHandlers } from './batch.handlers';
import { TreeDifference } from './difference';
import { InventoryStore } from './inventory.store';
import { OrphansHandlers } from './orphans.handlers';
import { ProgressStore } from './progress.store';
import { QueueHandlers } from './queue.handlers';
import { QueueStore } from './queue.store';
import { RescanStage } from './rescan.stage';
import { RootWalk } from './root-walk';
import { RunLock } from './run-lock';
import { RunsHandlers } from './runs.handlers';
import { ScanRequestsModule } from './scan-requests.module';
import { ScanService } from './scan.service';
import { ScanStage } from './scan.stage';
import { ScanWriter } from './scan-writer';

/** Scans of folders, their runs, and the queue of work that follows. */
@Module({
  imports: [
    ...[ScanRequestsModule, LocationStoreModule, DocumentStateModule, AttachmentsModule],
    ...[PipelineSettingsModule, FileAccessModule],
  ],
  providers: [
    ...[InventoryStore, TreeDifference, RunLock, RootWalk, ScanWriter, ScanService, ScanStage, RescanStage],
    ...[QueueStore, ProgressStore, DocumentWork, RunsHandlers, QueueHandlers, OrphansHandlers, BatchHandlers],
  ],
})
export class RunsModule {}
