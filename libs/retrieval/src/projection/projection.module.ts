import { Module } from '@nestjs/common';
import { CopiesModule } from '../legs/opensearch/copies/copies.module';
import { EmbeddingIndexesModule } from '../embedding-indexes/embedding-indexes.module';
import { ProjectionConsumer } from './projection.consumer';
import { ProjectionStore } from './projection.store';

/** Documents as events describe them. */
@Module({
  imports: [CopiesModule, EmbeddingIndexesModule],
  providers: [ProjectionConsumer, ProjectionStore],
  exports: [ProjectionStore],
})
export class ProjectionModule {}
