import { Setting } from '@acervo/platform-config';
import type { Database, TenantScope } from '@acervo/platform-database';
import type { ReadinessCheck } from '@acervo/platform-http';
import type { Logger, Metrics } from '@acervo/platform-observability';
import type { Tasks } from '@acervo/platform-queue';
import { TextConfig } from '@acervo/platform-service';
import { type ChunkCopies, NoCopies } from '../copies/chunk-copies';
import { CopiedChunkStore } from '../copies/copied-chunk.store';
import { CopyStages } from '../copies/copy.stages';
import { LexicalIndexStore } from '../copies/lexical-index.store';
import { OpenSearchCopies } from '../copies/open-search-copies';
import { Bm25Index } from './bm25-index';
import { OpenSearchEngine, type OpenSearchSettings } from './opensearch/open-search-engine';
import { OpenSearchIndex } from './opensearch/open-search-index';
import type { LexicalIndex } from './ranking';

/** Which engine ranks words, and how it is reached. */
export class LexicalConfig extends TextConfig {
  @Setting({
    env: 'ACERVO_LEXICAL',
    default: 'postgresql',
    oneOf: ['postgresql', 'opensearch'],
    description: 'What ranks by words: postgresql with pg_textsearch, or opensearch',
  })
  readonly lexical!: string;
  @Setting({ env: 'ACERVO_OPENSEARCH_URL', default: 'http://127.0.0.1:9200', description: 'Address of OpenSearch' })
  readonly openSearchUrl!: string;
  @Setting({ env: 'ACERVO_OPENSEARCH_USER', default: null, description: 'Who logs in there; nobody without it' })
  readonly openSearchUser!: string | null;
  @Setting({ env: 'ACERVO_OPENSEARCH_PASSWORD', default: null, secret: true, description: 'The password of that user' })
  readonly openSearchPassword!: string | null;
  @Setting({
    env: 'ACERVO_OPENSEARCH_CA',
    default: null,
    description: 'File with the certificates that sign the one of OpenSearch, where the system does not know them',
  })
  readonly openSearchCertificates!: string | null;
  @Setting({ env: 'ACERVO_OPENSEARCH_PREFIX', default: 'acervo', description: 'What the names of indexes begin with' })
  readonly openSearchPrefix!: string;
  @Setting({
    env: 'ACERVO_OPENSEARCH_REPLICAS',
    default: 1,
    min: 0,
    max: 5,
    description: 'Copies of each index on further nodes; 0 on a single node',
  })
  readonly openSearchReplicas!: number;
  @Setting({
    env: 'ACERVO_OPENSEARCH_TIMEOUT_MS',
    default: 1_500,
    min: 50,
    max: 10_000,
    description: 'Longest that one search waits for OpenSearch; the other leg answers then',
  })
  readonly openSearchTimeoutMs!: number;
}

/** The lexical leg with all that keeps it up to date. */
export interface LexicalEngine {
  readonly index: LexicalIndex;
  readonly copies: ChunkCopies;
  /** What works beside: stages of its own. */
  readonly providers: readonly object[];
  readonly checks: readonly ReadinessCheck[];
  close(): Promise<void>;
}

export interface LexicalParts {
  readonly database: Database;
  readonly background: Database;
  readonly tasks: Tasks;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const settingsOf = (config: LexicalConfig): OpenSearchSettings => ({
  url: config.openSearchUrl,
  user: config.openSearchUser,
  password: config.openSearchPassword,
  certificates: config.openSearchCertificates,
  prefix: config.openSearchPrefix,
  replicas: config.openSearchReplicas,
  searchTimeoutMs: config.openSearchTimeoutMs,
});

/** BM25 in the database itself. */
export const onDatabase = ({ database }: Pick<LexicalParts, 'database'>): LexicalEngine => ({
  index: new Bm25Index(database),
  copies: new NoCopies(),
  ...{ providers: [], checks: [], close: () => Promise.resolve() },
});

/** The same over an engine that is there: for a service, and for a test with settings of its own. */
export const onOpenSearch = (
  engine: OpenSearchEngine,
  { database, background, tasks, logger }: LexicalParts,
  settleMs?: number,
): LexicalEngine & { readonly copies: OpenSearchCopies } => {
  const [indexes, chunks] = [new LexicalIndexStore(), new CopiedChunkStore()];
  const own = { engine, database: background, tasks, indexes, chunks };
  const copies = new OpenSearchCopies({ ...own, ...(settleMs === undefined ? {} : { settleMs }) });
  const lost = ({ groupId }: TenantScope): void =>
    void copies
      .recover({ groupId })
      .catch((error: unknown) => logger.warn({ error }, 'an index could not be made again'));
  return {
    index: new OpenSearchIndex({ engine, database, lost }),
    copies,
    providers: [new CopyStages({ ...own, copies })],
    checks: [{ name: 'opensearch', spare: true, check: () => engine.ping() }],
    close: () => engine.close(),
  };
};

/** The engine that the configuration names. */
export const lexicalEngine = (config: LexicalConfig, parts: LexicalParts): LexicalEngine =>
  config.lexical === 'opensearch'
    ? onOpenSearch(new OpenSearchEngine(settingsOf(config), parts.metrics), parts)
    : onDatabase(parts);
