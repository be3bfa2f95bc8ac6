import { Module } from '@nestjs/common';
import { ClassificationModule } from '../classification/classification.module';
import { DocumentStateModule } from '../document-state/document-state.module';
import { ClassificationBacklogModule } from '../taxonomy/classification-backlog.module';
import { TaxonomyModule } from '../taxonomy/taxonomy.module';
import { ImpactHandlers } from './impact.handlers';
import { Reclassification } from './reclassification';
import { ReclassificationStage } from './reclassification.stage';
import { StaleDocumentsStore } from './stale-documents.store';

/** How types and features of documents change in the background, and what a change of a description would do. */
@Module({
  imports: [DocumentStateModule, ClassificationModule, ClassificationBacklogModule, TaxonomyModule],
  providers: [StaleDocumentsStore, Reclassification, ReclassificationStage, ImpactHandlers],
  exports: [StaleDocumentsStore, Reclassification],
})
export class ReclassificationModule {}
