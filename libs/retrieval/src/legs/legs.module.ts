import { Module } from '@nestjs/common';
import { Database } from '@acervo/platform-database';
import { Logger } from '@acervo/platform-observability';
import { CopiesModule } from './opensearch/copies/copies.module';
import { OpenSearchCopies } from './opensearch/copies/open-search-copies';
import { Bm25Index } from './bm25-index';
import { LexicalConfig, ranksInOpenSearch } from './lexical-config';
import { OpenSearchEngine } from './opensearch/open-search-engine';
import { OpenSearchIndex } from './opensearch/open-search-index';
import { OpenSearchModule } from './opensearch/open-search.module';
import { PgvectorIndex } from './pgvector-index';
import { LexicalIndex, VectorIndex } from './ranking';

/** The adapter of the engine that ranks words. */
const openLexicalIndex = (
  config: LexicalConfig,
  database: Database,
  engine: OpenSearchEngine,
  copies: OpenSearchCopies,
  logger: Logger,
): LexicalIndex =>
  ranksInOpenSearch(config) ? new OpenSearchIndex(engine, database, copies, logger) : new Bm25Index(database);

/** The legs: words in the configured engine, vectors in PostgreSQL. */
@Module({
  imports: [OpenSearchModule, CopiesModule],
  providers: [
    {
      provide: LexicalIndex,
      inject: [LexicalConfig, Database, OpenSearchEngine, OpenSearchCopies, Logger],
      useFactory: openLexicalIndex,
    },
    { provide: VectorIndex, useClass: PgvectorIndex },
  ],
  exports: [LexicalIndex, VectorIndex],
})
export class LegsModule {}
