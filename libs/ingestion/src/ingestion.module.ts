import { Module } from '@nestjs/common';
import { AttachmentsModule } from './attachments/attachments.module';
import { ClassificationModule } from './classification/classification.module';
import { CorpusModule } from './corpus/corpus.module';
import { DocumentsModule } from './documents/documents.module';
import { DraftsModule } from './drafts/drafts.module';
import { EmbeddingModule } from './embedding/embedding.module';
import { ExportsModule } from './exports/exports.module';
import { FiguresModule } from './figures/figures.module';
import { LocationChangesModule } from './location-changes/location-changes.module';
import { LocationsModule } from './locations/locations.module';
import { PipelineModule } from './pipeline/pipeline.module';
import { DocumentQueueModule } from './queue/document-queue.module';
import { ModelClassificationModule } from './model-classification/model-classification.module';
import { ReclassificationModule } from './reclassification/reclassification.module';
import { ReconciliationModule } from './reconciliation/reconciliation.module';
import { RunsModule } from './runs/runs.module';
import { ScansModule } from './scans/scans.module';
import { AcquisitionModule } from './acquisition/acquisition.module';
import { SkillsModule } from './skills/skills.module';
import { TaxonomyModule } from './taxonomy/taxonomy.module';
import { WebSourcesModule } from './web-sources/web-sources.module';

/** Folders, documents, and the pipeline to the indexes. */
@Module({
  imports: [
    LocationsModule,
    LocationChangesModule,
    ScansModule,
    RunsModule,
    DocumentQueueModule,
    DocumentsModule,
    AttachmentsModule,
    PipelineModule,
    EmbeddingModule,
    TaxonomyModule,
    ClassificationModule,
    ReclassificationModule,
    ModelClassificationModule,
    SkillsModule,
    AcquisitionModule,
    DraftsModule,
    ReconciliationModule,
    ExportsModule,
    FiguresModule,
    CorpusModule,
    WebSourcesModule,
  ],
})
export class IngestionModule {}
