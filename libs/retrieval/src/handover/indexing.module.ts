import { Module } from '@nestjs/common';
import { EmbeddersModule } from '@acervo/models/nest';
import { BucketsModule } from '../buckets/buckets.module';
import { CopiesModule } from '../legs/opensearch/copies/copies.module';
import { ProjectionModule } from '../projection/projection.module';
import { EmbeddingIndexesModule } from '../embedding-indexes/embedding-indexes.module';
import { ChunkStore } from './chunk.store';
import { DocumentIndexer } from './document-indexer';
import { EmbeddingIndexProvisioner } from './embedding-index-provisioner';
import { GenerationLoader } from './generation-loader';
import { GenerationPublisher } from './generation-publisher';
import { IndexStage } from './index.stage';
import { IndexingFailures } from './indexing-failures';
import { PreparedReader } from './prepared-reader';
import { PurgeStage } from './purge.stage';
import { RebuildHandlers } from './rebuild.handlers';
import { VectorsConsumer } from './vectors.consumer';
import { VectorsLoader } from './vectors-loader';
import { VectorsPlaces } from './vectors-places';
import { VectorsStage } from './vectors.stage';

/** Loads the hand-overs of ingestion into both legs, and removes chunks that are no longer live. */
@Module({
  imports: [BucketsModule, CopiesModule, EmbeddersModule, EmbeddingIndexesModule, ProjectionModule],
  providers: [
    ChunkStore,
    DocumentIndexer,
    EmbeddingIndexProvisioner,
    GenerationLoader,
    GenerationPublisher,
    IndexStage,
    IndexingFailures,
    PreparedReader,
    PurgeStage,
    RebuildHandlers,
    VectorsConsumer,
    VectorsLoader,
    VectorsPlaces,
    VectorsStage,
  ],
})
export class IndexingModule {}
