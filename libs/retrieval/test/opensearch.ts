import { randomUUID } from 'node:crypto';
import { BackgroundDatabase } from '@acervo/platform-database';
import { Metrics } from '@acervo/platform-observability';
import { Tasks } from '@acervo/platform-queue';
import { stackVariable } from '@acervo/platform-testing';
import { CopiedChunkStore } from '../src/copies/copied-chunk.store';
import { LexicalIndexStore } from '../src/copies/lexical-index.store';
import { OpenSearchCopies } from '../src/copies/open-search-copies';
import { OpenSearchEngine } from '../src/legs/opensearch/open-search-engine';
import { openRetrieval, type Retrieval } from './support';

const prefix = `test-${randomUUID().slice(0, 8)}`;

/** The engine of the running stack, under names of this test file alone. */
export const openEngine = (): OpenSearchEngine =>
  new OpenSearchEngine(
    {
      url: stackVariable('ACERVO_OPENSEARCH_URL'),
      ...{ user: null, password: null, certificates: null, prefix, replicas: 0, searchTimeoutMs: 1_500 },
    },
    new Metrics('retrieval'),
  );

/** Changes an index of a group without the service; searches see the change at once. */
export const behindTheBack = async (groupId: string, path: string, body: object, number = 1): Promise<void> => {
  const index = `${stackVariable('ACERVO_OPENSEARCH_URL')}/${prefix}-${groupId}-${number}`;
  const answer = await fetch(`${index}/${path}${path.includes('?') ? '&' : '?'}refresh=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`OpenSearch answered ${answer.status}: ${await answer.text()}`);
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
      ACERVO_OPENSEARCH_URL: stackVariable('ACERVO_OPENSEARCH_URL'),
      ACERVO_OPENSEARCH_PREFIX: prefix,
      ACERVO_OPENSEARCH_REPLICAS: '0',
    },
    override: (builder) => builder.overrideProvider(OpenSearchCopies).useFactory(settledAtOnce),
  });
