import { Module } from '@nestjs/common';
import { EmbeddingIndexesModule } from '../embedding-indexes/embedding-indexes.module';
import { ExcerptsModule } from '../excerpts/excerpts.module';
import { ChunksHandlers } from './chunks.handlers';

/** The first chunks of a document. */
@Module({ imports: [EmbeddingIndexesModule, ExcerptsModule], providers: [ChunksHandlers] })
export class ChunksModule {}
