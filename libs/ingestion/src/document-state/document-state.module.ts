import { Module } from '@nestjs/common';
import { ClassificationBacklogModule } from '../taxonomy/classification-backlog.module';
import { ClassificationStore } from '../classification/classification.store';
import { EarlierVectorsStore } from './earlier-vectors.store';
import { ResultStore } from './result.store';
import { WorkingDocumentStore } from './working-document.store';
import { ObjectGarbageCollector, GarbageCollectionStage } from './object-garbage-collector';
import { DocumentEvents } from './document-events';

/** What every change of a document writes: its row, events, remembered results, and objects to collect. */
@Module({
  imports: [ClassificationBacklogModule],
  providers: [
    DocumentEvents,
    WorkingDocumentStore,
    ResultStore,
    EarlierVectorsStore,
    ClassificationStore,
    ObjectGarbageCollector,
    GarbageCollectionStage,
  ],
  exports: [
    DocumentEvents,
    WorkingDocumentStore,
    ResultStore,
    EarlierVectorsStore,
    ClassificationStore,
    ObjectGarbageCollector,
  ],
})
export class DocumentStateModule {}
