import { Module } from '@nestjs/common';
import { EmbeddersModule } from '@acervo/models/nest';
import { ExcerptsModule } from '../excerpts/excerpts.module';
import { QuotaModule } from '../quota/quota.module';
import { LegsModule } from '../legs/legs.module';
import { LocationsModule } from '../locations/locations.module';
import { EmbeddingIndexesModule } from '../embedding-indexes/embedding-indexes.module';
import { SpaceMembersModule } from '../space-members/space-members.module';
import { AdmissionStore } from './admission.store';
import { EvidenceStore } from './evidence.store';
import { ExplainHandlers } from './explain.handlers';
import { Finder } from './finder';
import { HydrationStore } from './hydration.store';
import { LegReader } from './leg-reader';
import { QueryAnalyzer } from './query-analyzer';
import { QueryEmbedder } from './query-embedder';
import { Ranker } from './ranker';
import { RequestVisibility } from './request-visibility';
import { SearchHandlers } from './search.handlers';
import { VisibleDocumentsHandlers } from './visible-documents.handlers';

/** Hybrid search and its explanation. */
@Module({
  imports: [
    EmbeddersModule,
    EmbeddingIndexesModule,
    ExcerptsModule,
    LegsModule,
    LocationsModule,
    QuotaModule,
    SpaceMembersModule,
  ],
  providers: [
    AdmissionStore,
    EvidenceStore,
    ExplainHandlers,
    Finder,
    HydrationStore,
    LegReader,
    QueryAnalyzer,
    QueryEmbedder,
    Ranker,
    RequestVisibility,
    SearchHandlers,
    VisibleDocumentsHandlers,
  ],
  exports: [Finder],
})
export class SearchModule {}
