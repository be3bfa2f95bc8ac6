import { Module } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import { OpenSearchEngine } from '../open-search-engine';
import { OpenSearchModule } from '../open-search.module';
import { ChunkCopies, NoCopies } from './chunk-copies';
import { CopiedChunkStore } from './copied-chunk.store';
import { CopyStages } from './copy.stages';
import { LexicalIndexStore } from './lexical-index.store';
import { OpenSearchCopies } from './open-search-copies';

const openCopies = (
  engine: OpenSearchEngine | null,
  database: BackgroundDatabase,
  tasks: Tasks,
  indexes: LexicalIndexStore,
  chunks: CopiedChunkStore,
): OpenSearchCopies | null => (engine === null ? null : new OpenSearchCopies(engine, database, tasks, indexes, chunks));

const openStages = (
  engine: OpenSearchEngine | null,
  copies: OpenSearchCopies | null,
  database: BackgroundDatabase,
  tasks: Tasks,
  indexes: LexicalIndexStore,
  chunks: CopiedChunkStore,
): CopyStages | null =>
  engine === null || copies === null ? null : new CopyStages(engine, copies, database, tasks, indexes, chunks);

/** Copies of chunks in OpenSearch, with the stages that update them; no copies where the database ranks words. */
@Module({
  imports: [OpenSearchModule],
  providers: [
    CopiedChunkStore,
    LexicalIndexStore,
    {
      provide: OpenSearchCopies,
      inject: [OpenSearchEngine, BackgroundDatabase, Tasks, LexicalIndexStore, CopiedChunkStore],
      useFactory: openCopies,
    },
    {
      provide: CopyStages,
      inject: [OpenSearchEngine, OpenSearchCopies, BackgroundDatabase, Tasks, LexicalIndexStore, CopiedChunkStore],
      useFactory: openStages,
    },
    {
      provide: ChunkCopies,
      inject: [OpenSearchCopies],
      useFactory: (copies: OpenSearchCopies | null): ChunkCopies => copies ?? new NoCopies(),
    },
  ],
  exports: [ChunkCopies, OpenSearchCopies],
})
export class CopiesModule {}
