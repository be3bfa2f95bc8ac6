import { Module } from '@nestjs/common';
import { EmbeddersModule } from '@acervo/models/nest';
import { DocumentStateModule } from '../document-state/document-state.module';
import { PipelineSettingsModule } from '../reading/pipeline-settings.module';
import { CpuModule } from '../cpu/cpu.module';
import { EmbeddingHandlers } from './embedding.handlers';
import { PassageEmbedder } from './passage-embedder';
import { VectorBacklog } from './vector-backlog';
import { VectorHandover } from './vector-handover';
import { Vectoriser } from './vectoriser';
import { VectorsStage } from './vectors.stage';

/** Vectors of documents, for the embedder in use. */
@Module({
  imports: [EmbeddersModule, DocumentStateModule, PipelineSettingsModule, CpuModule],
  providers: [VectorBacklog, PassageEmbedder, Vectoriser, VectorHandover, VectorsStage, EmbeddingHandlers],
  exports: [VectorBacklog, Vectoriser],
})
export class EmbeddingModule {}
