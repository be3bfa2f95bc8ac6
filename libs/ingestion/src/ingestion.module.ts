import { Module } from '@nestjs/common';
import { AttachmentsModule } from './attachments/attachments.module';
import { ClassificationModule } from './classification/classification.module';
import { DocumentsModule } from './documents/documents.module';
import { EmbeddingModule } from './embedding/embedding.module';
import { ExportsModule } from './exports/exports.module';
import { FiguresModule } from './figures/figures.module';
import { LocationsModule } from './location-changes/location-changes.module';
import { PipelineModule } from './pipeline/pipeline.module';
import { ReconciliationModule } from './reconciliation/reconciliation.module';
import { RunsModule } from './runs/runs.module';
import { TaxonomyModule } from './taxonomy/taxonomy.module';

/** Folders, documents, and the pipeline to the indexes. */
@Module({
  imports: [
    ...[LocationsModule, RunsModule, DocumentsModule, AttachmentsModule],
    ...[PipelineModule, EmbeddingModule, ReconciliationModule, ExportsModule, FiguresModule],
    ...[TaxonomyModule, ClassificationModule],
  ],
})
export class IngestionModule {}
