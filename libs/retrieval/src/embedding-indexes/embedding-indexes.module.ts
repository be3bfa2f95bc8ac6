import { Module } from '@nestjs/common';
import { EmbeddersModule } from '@acervo/models/nest';
import { EmbeddingIndexSwitch } from './embedding-index-switch';
import { EmbeddingIndexStore } from './embedding-index.store';
import { EmbeddingIndexHandlers } from './embedding-index.handlers';
import { SwitchStages } from './switch.stages';
import { SwitchStore } from './switch.store';

/** The embedding indexes of each group, and the switch from one to another. */
@Module({
  imports: [EmbeddersModule],
  providers: [EmbeddingIndexSwitch, EmbeddingIndexStore, EmbeddingIndexHandlers, SwitchStages, SwitchStore],
  exports: [EmbeddingIndexStore],
})
export class EmbeddingIndexesModule {}
