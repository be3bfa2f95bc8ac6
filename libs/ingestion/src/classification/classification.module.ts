import { Module } from '@nestjs/common';
import { DocumentStateModule } from '../documents/document-state.module';
import { TaxonomyModule } from '../taxonomy/taxonomy.module';
import { ClassificationBacklogModule } from './classification-backlog.module';
import { ClassificationStateModule } from './classification-state.module';
import { FeaturesHandlers } from './features.handlers';
import { ImpactHandlers } from './impact.handlers';
import { Reclassification } from './reclassification';
import { ReclassificationStage } from './reclassification.stage';
import { StaleDocumentsStore } from './stale-documents.store';

/** Types and features of documents: how they change in the background, and how callers read them. */
@Module({
  imports: [DocumentStateModule, ClassificationStateModule, ClassificationBacklogModule, TaxonomyModule],
  providers: [StaleDocumentsStore, Reclassification, ReclassificationStage, FeaturesHandlers, ImpactHandlers],
})
export class ClassificationModule {}
