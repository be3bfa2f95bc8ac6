import { Module } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import { LexicalConfig, ranksInOpenSearch } from '../../lexical-config';
import { OpenSearchEngine } from '../open-search-engine';
import { OpenSearchModule } from '../open-search.module';
import { ChunkCopies, NoCopies } from './chunk-copies';
import { CopiedChunkStore } from './copied-chunk.store';
import { CopyMaintenance, CopyStages, NoCopyStages } from './copy.stages';
import { LexicalIndexStore } from './lexical-index.store';
import { OpenSearchCopies } from './open-search-copies';

const openStages = (
  config: LexicalConfig,
  copies: OpenSearchCopies,
  engine: OpenSearchEngine,
  database: BackgroundDatabase,
  tasks: Tasks,
  indexes: LexicalIndexStore,
  chunks: CopiedChunkStore,
): CopyMaintenance =>
  ranksInOpenSearch(config) ? new CopyStages(engine, copies, database, tasks, indexes, chunks) : new NoCopyStages();

const MADE_OF = [OpenSearchEngine, BackgroundDatabase, Tasks, LexicalIndexStore, CopiedChunkStore];

/** Copies of chunks in OpenSearch, with the stages that update them; no copies where the database ranks words. */
@Module({
  imports: [OpenSearchModule],
  providers: [
    CopiedChunkStore,
    LexicalIndexStore,
    {
      provide: OpenSearchCopies,
      inject: MADE_OF,
      useFactory: (
        engine: OpenSearchEngine,
        database: BackgroundDatabase,
        tasks: Tasks,
        indexes: LexicalIndexStore,
        chunks: CopiedChunkStore,
      ) => new OpenSearchCopies(engine, database, tasks, indexes, chunks),
    },
    { provide: CopyMaintenance, inject: [LexicalConfig, OpenSearchCopies, ...MADE_OF], useFactory: openStages },
    {
      provide: ChunkCopies,
      inject: [LexicalConfig, OpenSearchCopies],
      useFactory: (config: LexicalConfig, copies: OpenSearchCopies): ChunkCopies =>
        ranksInOpenSearch(config) ? copies : new NoCopies(),
    },
  ],
  exports: [ChunkCopies, OpenSearchCopies],
})
export class CopiesModule {}
