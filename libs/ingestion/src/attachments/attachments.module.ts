import { Module } from '@nestjs/common';
import { DocumentStateModule } from '../documents/document-state.module';
import { PipelineSettingsModule } from '../pipeline/pipeline-settings.module';
import { AttachmentReview } from './attachment.review';
import { AttachmentStore } from './attachment.store';

/** Files inside files as documents of their own. */
@Module({
  imports: [DocumentStateModule, PipelineSettingsModule],
  providers: [AttachmentStore, AttachmentReview],
  exports: [AttachmentStore, AttachmentReview],
})
export class AttachmentsModule {}
