import { Module } from '@nestjs/common';
import { DocumentStateModule } from '../document-state/document-state.module';
import { TaxonomyModule } from '../taxonomy/taxonomy.module';
import { ClassificationBacklogModule } from '../taxonomy/classification-backlog.module';
import { ClassificationStateModule } from './classification-state.module';
import { FeaturesHandlers } from './features.handlers';
import { ImpactHandlers } from '../reclassification/impact.handlers';
import { Reclassification } from '../reclassification/reclassification';
import { ReclassificationStage } from '../reclassification/reclassification.stage';
import { StaleDocumentsStore } from '../reclassification/stale-documents.store';

/** Types and features of documents: how they change in the background, and how callers read them. */
@Module({
  imports: [DocumentStateModule, ClassificationStateModule, ClassificationBacklogModule, TaxonomyModule],
  providers: [StaleDocumentsStore, Reclassification, ReclassificationStage, FeaturesHandlers, ImpactHandlers],
})
export class ClassificationModule {}
