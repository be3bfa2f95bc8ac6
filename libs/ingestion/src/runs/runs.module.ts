import { Module } from '@nestjs/common';
import { AttachmentsModule } from '../attachments/attachments.module';
import { DocumentStateModule } from '../document-state/document-state.module';
import { LocationStoreModule } from '../locations/location-store.module';
import { DocumentWork } from '../pipeline/document-work';
import { PipelineSettingsModule } from '../reading/pipeline-settings.module';
import { FileAccessModule } from '../file-access/file-access.module';
import { BatchHandlers } from './batch.handlers';
import { TreeDifference } from '../scans/difference';
import { InventoryStore } from '../scans/inventory.store';
import { OrphansHandlers } from '../queue/orphans.handlers';
import { ProgressStore } from '../queue/progress.store';
import { QueueHandlers } from '../queue/queue.handlers';
import { QueueStore } from '../queue/queue.store';
import { RescanStage } from '../scans/rescan.stage';
import { RootWalk } from '../scans/root-walk';
import { RunLock } from '../scans/run-lock';
import { RunsHandlers } from './runs.handlers';
import { ScanRequestsModule } from '../scans/scan-requests.module';
import { ScanService } from '../scans/scan.service';
import { ScanStage } from '../scans/scan.stage';
import { ScanWriter } from '../scans/scan-writer';

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
