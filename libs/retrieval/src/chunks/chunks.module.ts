import { Module } from '@nestjs/common';
import { EmbeddingIndexesModule } from '../embedding-indexes/embedding-indexes.module';
import { ExcerptsModule } from '../excerpts/excerpts.module';
import { ChunksService } from './chunks.service';

/** The first chunks of a document. */
@Module({ imports: [EmbeddingIndexesModule, ExcerptsModule], providers: [ChunksService] })
export class ChunksModule {}
