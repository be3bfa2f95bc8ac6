import { Module } from '@nestjs/common';
import { AttachmentsModule } from '../attachments/attachments.module';
import { ClassificationModule } from '../classification/classification.module';
import { DocumentStateModule } from '../document-state/document-state.module';
import { FileAccessModule } from '../file-access/file-access.module';
import { LocationsModule } from '../locations/locations.module';
import { PipelineSettingsModule } from '../reading/pipeline-settings.module';
import { SkillsModule } from '../skills/skills.module';
import { AttachmentReview } from './attachment.review';
import { TreeDifference } from './difference';
import { DoubtedScans } from './doubted-scans';
import { InventoryStore } from './inventory.store';
import { RescanStage } from './rescan.stage';
import { RootWalk } from './root-walk';
import { RunLock } from './run-lock';
import { RunStore } from './run.store';
import { ScanLocks } from './scan-locks';
import { ScanRequests } from './scan-requests';
import { ScanService } from './scan.service';
import { ScanStage } from './scan.stage';
import { ScanWriter } from './scan-writer';

/** Scans of folders: requested, one at a time of each root, and written as a run. */
@Module({
  imports: [
    LocationsModule,
    DocumentStateModule,
    AttachmentsModule,
    ClassificationModule,
    PipelineSettingsModule,
    FileAccessModule,
    SkillsModule,
  ],
  providers: [
    RunStore,
    ScanLocks,
    ScanRequests,
    InventoryStore,
    AttachmentReview,
    TreeDifference,
    DoubtedScans,
    RunLock,
    RootWalk,
    ScanWriter,
    ScanService,
    ScanStage,
    RescanStage,
  ],
  exports: [DoubtedScans, InventoryStore, RunLock, RunStore, ScanLocks, ScanRequests, ScanService, ScanWriter],
})
export class ScansModule {}
