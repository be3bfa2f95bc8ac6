import { describeOnStack } from '@acervo/platform-testing';
import { termsClauses } from '../src/legs/opensearch/lexical-query';
import { neverInterferes, type Ranking } from './interference.behaviour';
import { onStackEngine, openEngine } from './opensearch';
import { openRetrieval } from './support';

const onOpenSearch = async (): Promise<Ranking> => {
  const engine = openEngine();
  const retrieval = await openRetrieval(onStackEngine);
  return {
    retrieval,
    scores: (groupId, terms) => engine.search({ groupId }, termsClauses(terms), [], 1_000),
    known: (groupId) => engine.refresh({ groupId }, 1),
    close: async () => {
      await engine.close();
      await retrieval.close();
    },
  };
};

describeOnStack('OpenSearch', ['opensearch'], () => neverInterferes('OpenSearch', onOpenSearch));
