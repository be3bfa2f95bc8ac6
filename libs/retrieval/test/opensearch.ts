import { randomUUID } from 'node:crypto';
import { Metrics } from '@acervo/platform-observability';
import { stackVariable } from '@acervo/platform-testing';
import { onOpenSearch } from '../src/legs/lexical-engine';
import { OpenSearchEngine } from '../src/legs/opensearch/open-search-engine';
import type { OpensLexical } from './support';

const prefix = `test-${randomUUID().slice(0, 8)}`;

/** The engine of the running stack, under names of this test file alone. */
export const openEngine = (metrics = new Metrics('retrieval')): OpenSearchEngine =>
  new OpenSearchEngine(
    {
      url: stackVariable('ACERVO_OPENSEARCH_URL'),
      ...{ user: null, password: null, certificates: null, prefix, replicas: 0, searchTimeoutMs: 1_500 },
    },
    metrics,
  );

/** An index of a group, changed behind the back of everybody; what was changed is found by searches at once. */
export const behindTheBack = async (groupId: string, path: string, body: object, number = 1): Promise<void> => {
  const index = `${stackVariable('ACERVO_OPENSEARCH_URL')}/${prefix}-${groupId}-${number}`;
  const answer = await fetch(`${index}/${path}${path.includes('?') ? '&' : '?'}refresh=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`OpenSearch answered ${answer.status}: ${await answer.text()}`);
};

/** The leg on the engine; a new index may be filled at once, since nothing else writes. */
export const onStackEngine: OpensLexical = (parts) => onOpenSearch(openEngine(), parts, 0);
