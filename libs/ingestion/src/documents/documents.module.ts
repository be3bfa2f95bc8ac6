import { Module } from '@nestjs/common';
import { AttachmentsModule } from '../attachments/attachments.module';
import { LocationsModule } from '../locations/locations.module';
import { SkillsModule } from '../skills/skills.module';
import { ChangeStore } from './change.store';
import { DocumentChangesHandlers } from './changes.handlers';
import { ClassificationModule } from '../classification/classification.module';
import { DocumentStateModule } from '../document-state/document-state.module';
import { DocumentsHandlers } from './documents.handlers';
import { EdgesStore } from './edges.store';
import { DocumentEffectsHandlers } from './effects.handlers';
import { IndexAnswersConsumer } from './index-answers.consumer';
import { ListingStore } from './listing.store';
import { LongMissing } from './long-missing';
import { RebuildHandlers } from './rebuild.handlers';
import { StoredDocumentsHandlers } from './stored-documents.handlers';

/** Documents as callers list and change them, and what retrieval answers about them. */
@Module({
  imports: [DocumentStateModule, ClassificationModule, AttachmentsModule, LocationsModule, SkillsModule],
  providers: [
    ChangeStore,
    ListingStore,
    EdgesStore,
    LongMissing,
    StoredDocumentsHandlers,
    DocumentsHandlers,
    DocumentChangesHandlers,
    DocumentEffectsHandlers,
    RebuildHandlers,
    IndexAnswersConsumer,
  ],
  exports: [ChangeStore, LongMissing],
})
export class DocumentsModule {}
