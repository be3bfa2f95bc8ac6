import { Module } from '@nestjs/common';
import { QuotaModule } from './quota/quota.module';
import { BucketsModule } from './buckets/buckets.module';
import { ChunksModule } from './chunks/chunks.module';
import { CopiesModule } from './legs/opensearch/copies/copies.module';
import { IndexingModule } from './handover/indexing.module';
import { IndexInventoryModule } from './inventory/index-inventory.module';
import { LegsModule } from './legs/legs.module';
import { LocationsModule } from './locations/locations.module';
import { ProjectionModule } from './projection/projection.module';
import { SearchModule } from './search/search.module';
import { SpaceDependentsModule } from './spaces/space-dependents.module';
import { SpacesModule } from './spaces/spaces.module';
import { SpaceTransferModule } from './spaces/transfer/space-transfer.module';
import { EmbeddingIndexesModule } from './embedding-indexes/embedding-indexes.module';

/** Searches: maintains both indexes and answers from them. */
@Module({
  imports: [
    BucketsModule,
    ChunksModule,
    CopiesModule,
    EmbeddingIndexesModule,
    IndexInventoryModule,
    IndexingModule,
    LegsModule,
    LocationsModule,
    ProjectionModule,
    QuotaModule,
    SearchModule,
    SpaceDependentsModule,
    SpacesModule,
    SpaceTransferModule,
  ],
})
export class RetrievalModule {}
