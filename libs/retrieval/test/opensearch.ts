import { BackgroundDatabase } from '@acervo/platform-database';
import { Metrics } from '@acervo/platform-observability';
import { Tasks } from '@acervo/platform-queue';
import { askOpenSearch, stackVariable } from '@acervo/platform-testing';
import { CopiedChunkStore } from '../src/legs/opensearch/copies/copied-chunk.store';
import { LexicalIndexStore } from '../src/legs/opensearch/copies/lexical-index.store';
import { OpenSearchCopies } from '../src/legs/opensearch/copies/open-search-copies';
import { OpenSearchEngine, type OpenSearchSettings } from '../src/legs/opensearch/open-search-engine';
import { indexShape } from '../src/legs/opensearch/index-shape';
import { STACK_PREFIX as prefix } from './stack-lexical';
import { openRetrieval, type Retrieval } from './support';

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

/** The fields that indexes of earlier releases lack. */
const LATER_FIELDS = ['type_codes', 'attribute_codes', 'characteristic_codes'];

/** Creates the first index of a group as an earlier release did, in the place of an existing one. */
export const earlierIndex = async (groupId: string, { replaced = false } = {}): Promise<void> => {
  const index = `${prefix}-${groupId}-1`;
  if (replaced) await askOpenSearch(index, 'DELETE');
  const { settings, mappings } = indexShape(0);
  const { properties, ...others } = mappings as { readonly properties: Readonly<Record<string, object>> };
  const earlier = Object.entries(properties).filter(([name]) => !LATER_FIELDS.includes(name));
  const shape = { settings, mappings: { ...others, properties: Object.fromEntries(earlier) } };
  await askOpenSearch(index, 'PUT', { ...shape, aliases: { [`${prefix}-${groupId}`]: {} } });
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
  openRetrieval({ override: (builder) => builder.overrideProvider(OpenSearchCopies).useFactory(settledAtOnce) });
