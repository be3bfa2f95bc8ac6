import { randomUUID } from 'node:crypto';
import { BackgroundDatabase } from '@acervo/platform-database';
import { Metrics } from '@acervo/platform-observability';
import { Tasks } from '@acervo/platform-queue';
import { askOpenSearch, stackVariable, stackVariablesOf } from '@acervo/platform-testing';
import { CopiedChunkStore } from '../src/copies/copied-chunk.store';
import { LexicalIndexStore } from '../src/copies/lexical-index.store';
import { OpenSearchCopies } from '../src/copies/open-search-copies';
import { OpenSearchEngine, type OpenSearchSettings } from '../src/legs/opensearch/open-search-engine';
import { openRetrieval, type Retrieval } from './support';

const prefix = `test-${randomUUID().slice(0, 8)}`;

/** How the engine of the running stack is reached, under names of this test file alone. */
export const engineSettings = (): OpenSearchSettings => ({
  url: stackVariable('ACERVO_OPENSEARCH_URL'),
  user: stackVariable('ACERVO_OPENSEARCH_USER'),
  password: stackVariable('ACERVO_OPENSEARCH_PASSWORD'),
  certificates: stackVariable('ACERVO_OPENSEARCH_CA'),
  ...{ prefix, replicas: 0, searchTimeoutMs: 1_500 },
});

export const openEngine = (): OpenSearchEngine => new OpenSearchEngine(engineSettings(), new Metrics('retrieval'));

/** Changes an index of a group without the service; searches see the change at once. */
export const behindTheBack = async (groupId: string, path: string, body: object, number = 1): Promise<void> => {
  const separator = path.includes('?') ? '&' : '?';
  await askOpenSearch(`${prefix}-${groupId}-${number}/${path}${separator}refresh=true`, 'POST', body);
};

/** A new index may be filled at once, since nothing else writes. */
const settledAtOnce = {
  inject: [OpenSearchEngine, BackgroundDatabase, Tasks, LexicalIndexStore, CopiedChunkStore],
  factory: (
    engine: OpenSearchEngine,
    database: BackgroundDatabase,
    tasks: Tasks,
    indexes: LexicalIndexStore,
    chunks: CopiedChunkStore,
  ) => new OpenSearchCopies(engine, database, tasks, indexes, chunks, 0),
};

/** The service with the engine of the running stack under its lexical leg. */
export const openOnStack = (): Promise<Retrieval> =>
  openRetrieval({
    environment: {
      ACERVO_LEXICAL: 'opensearch',
      ...stackVariablesOf('ACERVO_OPENSEARCH_'),
      ACERVO_OPENSEARCH_PREFIX: prefix,
    },
    override: (builder) => builder.overrideProvider(OpenSearchCopies).useFactory(settledAtOnce),
  });
