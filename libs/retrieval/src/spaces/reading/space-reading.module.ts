import { Module } from '@nestjs/common';
import { EmbeddingIndexesModule } from '../../embedding-indexes/embedding-indexes.module';
import { ExcerptsModule } from '../../excerpts/excerpts.module';
import { SearchModule } from '../../search/search.module';
import { QueriedDocuments } from '../queried-documents';
import { SpaceMembersModule } from '../../space-members/space-members.module';
import { SearchedQueries } from './searched-queries';
import { SpaceDocumentReader } from './space-document-reader';
import { SpaceDocumentStore } from './space-document.store';
import { SpacePassages } from './space-passages.service';
import { SpaceReadingHandlers } from './space-reading.handlers';

/** Reads spaces, and searches for the queries of their criteria. */
@Module({
  imports: [EmbeddingIndexesModule, ExcerptsModule, SearchModule, SpaceMembersModule],
  providers: [
    SpaceDocumentReader,
    SpaceDocumentStore,
    SpacePassages,
    SpaceReadingHandlers,
    { provide: QueriedDocuments, useClass: SearchedQueries },
  ],
  exports: [QueriedDocuments, SpaceDocumentReader],
})
export class SpaceReadingModule {}
