import { Module } from '@nestjs/common';
import { EmbeddersModule } from '@acervo/models/nest';
import { QuotaModule } from '../quota/quota.module';
import { LegsModule } from '../legs/legs.module';
import { LocationsModule } from '../locations/locations.module';
import { EmbeddingIndexesModule } from '../embedding-indexes/embedding-indexes.module';
import { ExplainService } from './explain.service';
import { HydrationStore } from './hydration.store';
import { LegReader } from './leg-reader';
import { QueryAnalyzer } from './query-analyzer';
import { QueryEmbedder } from './query-embedder';
import { Ranker } from './ranker';
import { SearchService } from './search.service';

/** Hybrid search and its explanation. */
@Module({
  imports: [EmbeddersModule, EmbeddingIndexesModule, LegsModule, LocationsModule, QuotaModule],
  providers: [ExplainService, HydrationStore, LegReader, QueryAnalyzer, QueryEmbedder, Ranker, SearchService],
})
export class SearchModule {}
