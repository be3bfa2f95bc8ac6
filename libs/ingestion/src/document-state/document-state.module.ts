import { Module } from '@nestjs/common';
import { EarlierVectorsStore } from './earlier-vectors.store';
import { ResultStore } from './result.store';
import { WorkingDocumentStore } from './working-document.store';
import { ObjectGarbageCollector, GarbageCollectionStage } from './object-garbage-collector';
import { DocumentEvents } from './document-events';

/** What every change of a document writes: its row, events, remembered results, and objects to collect. */
@Module({
  providers: [
    DocumentEvents,
    WorkingDocumentStore,
    ResultStore,
    EarlierVectorsStore,
    ObjectGarbageCollector,
    GarbageCollectionStage,
  ],
  exports: [DocumentEvents, WorkingDocumentStore, ResultStore, EarlierVectorsStore, ObjectGarbageCollector],
})
export class DocumentStateModule {}
