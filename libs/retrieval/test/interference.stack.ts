import { describeOnStack } from '@acervo/platform-testing';
import { termsClauses } from '../src/legs/opensearch/lexical-query';
import { neverInterferes, type Ranking } from './interference.behaviour';
import { openEngine, openOnStack } from './opensearch';

const onOpenSearch = async (): Promise<Ranking> => {
  const engine = openEngine();
  const retrieval = await openOnStack();
  return {
    retrieval,
    scores: (groupId, terms) => engine.search({ groupId }, termsClauses(terms), [], 1_000),
    searchable: (groupId) => engine.refresh({ groupId }, 1),
    close: async () => {
      await engine.close();
      await retrieval.close();
    },
  };
};

describeOnStack('OpenSearch', ['opensearch'], () => neverInterferes('OpenSearch', onOpenSearch));
