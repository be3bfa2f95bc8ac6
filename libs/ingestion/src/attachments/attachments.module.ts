import { Module } from '@nestjs/common';
import { DocumentStateModule } from '../document-state/document-state.module';
import { PipelineSettingsModule } from '../reading/pipeline-settings.module';
import { AttachmentStore } from './attachment.store';

/** Files inside files as documents of their own. */
@Module({
  imports: [DocumentStateModule, PipelineSettingsModule],
  providers: [AttachmentStore],
  exports: [AttachmentStore],
})
export class AttachmentsModule {}
