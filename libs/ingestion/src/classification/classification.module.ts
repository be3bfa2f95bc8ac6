import { Module } from '@nestjs/common';
import { ChatModelModule } from '@acervo/models/chat/nest';
import { EmbeddersModule } from '@acervo/models/nest';
import { CpuModule } from '../cpu/cpu.module';
import { DocumentStateModule } from '../document-state/document-state.module';
import { BackgroundRunsModule } from '../background-runs/background-runs.module';
import { ClassificationBacklogModule } from '../taxonomy/classification-backlog.module';
import { TaxonomyModule } from '../taxonomy/taxonomy.module';
import { ClassificationStore } from './classification.store';
import { Classifiers } from './classifiers';
import { DocumentFeaturesHandlers } from './document-features.handlers';
import { ModelBacklog } from './model-backlog';
import { OpeningVectors } from './opening-vectors';

/** Types and features of documents: what finds them, where they are stored, and how callers read them. */
@Module({
  imports: [
    CpuModule,
    DocumentStateModule,
    TaxonomyModule,
    ClassificationBacklogModule,
    EmbeddersModule,
    ChatModelModule,
    BackgroundRunsModule,
  ],
  providers: [Classifiers, OpeningVectors, ClassificationStore, ModelBacklog, DocumentFeaturesHandlers],
  exports: [Classifiers, OpeningVectors, ClassificationStore, ModelBacklog],
})
export class ClassificationModule {}
