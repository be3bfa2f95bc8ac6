import { Module } from '@nestjs/common';
import { DocumentStateModule } from '../document-state/document-state.module';
import { PipelineSettingsModule } from '../reading/pipeline-settings.module';
import { AttachmentReview } from '../scans/attachment.review';
import { AttachmentStore } from './attachment.store';

/** Files inside files as documents of their own. */
@Module({
  imports: [DocumentStateModule, PipelineSettingsModule],
  providers: [AttachmentStore, AttachmentReview],
  exports: [AttachmentStore, AttachmentReview],
})
export class AttachmentsModule {}
