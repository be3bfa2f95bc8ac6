import { randomUUID } from 'node:crypto';
import { Metrics } from '@acervo/platform-observability';
import { stackVariable } from '@acervo/platform-testing';
import { onOpenSearch } from '../src/legs/lexical-engine';
import { OpenSearchEngine } from '../src/legs/opensearch/open-search-engine';
import type { OpensLexical } from './support';

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

/** The leg on the engine; a new index may be filled at once, since nothing else writes. */
export const onStackEngine: OpensLexical = (parts) => onOpenSearch(openEngine(), parts, 0);
