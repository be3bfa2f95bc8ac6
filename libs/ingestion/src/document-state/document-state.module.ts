import { Module } from '@nestjs/common';
import { EarlierVectorsStore } from './earlier-vectors.store';
import { ResultStore } from './result.store';
import { WebContentStore } from './web-content.store';
import { WorkingDocumentStore } from './working-document.store';
import { GarbageCollectionStage } from './garbage-collection.stage';
import { NeededObjectsStore } from './needed-objects.store';
import { ObjectGarbageCollector } from './object-garbage-collector';
import { DocumentEvents } from './document-events';

/** What every change of a document writes: its row, events, remembered results, and objects to collect. */
@Module({
  providers: [
    DocumentEvents,
    WebContentStore,
    WorkingDocumentStore,
    ResultStore,
    EarlierVectorsStore,
    NeededObjectsStore,
    ObjectGarbageCollector,
    GarbageCollectionStage,
  ],
  exports: [
    DocumentEvents,
    WebContentStore,
    WorkingDocumentStore,
    ResultStore,
    EarlierVectorsStore,
    NeededObjectsStore,
    ObjectGarbageCollector,
  ],
})
export class DocumentStateModule {}
