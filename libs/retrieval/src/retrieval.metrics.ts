import { declareCounter, declareGauge, declareSeconds, type MetricDeclaration } from '@acervo/platform-observability';

export const LEG = declareSeconds('leg_seconds', 'Time that a leg of a search took', ['leg', 'engine', 'outcome']);
export const LEG_LEFT_OUT = declareCounter(
  'leg_left_out_total',
  'Searches that were answered without a leg, by reason: failed, late',
  ['leg', 'engine', 'reason'],
);
export const WITHOUT_SIMILARITY = declareCounter(
  'search_without_similarity_total',
  'Documents that searches with a least similarity left out because their vectors were still to come',
);
export const COLLECTED = declareCounter(
  'documents_collected_total',
  'Documents of which a user received most of the text within an hour; the log names who collects many',
);
export const LEXICAL_ENGINE = declareSeconds(
  'lexical_engine_seconds',
  'Time that a request to OpenSearch took',
  ['engine', 'operation', 'outcome'],
  { only: 'ACERVO_LEXICAL=opensearch' },
);

export const SHARDS = declareGauge(
  'opensearch_shards',
  'Shards of the cluster of OpenSearch: used, and the limit of its data nodes; beyond it no index is made',
  ['state'],
  { only: 'ACERVO_LEXICAL=opensearch' },
);

export const retrievalMetrics: readonly MetricDeclaration[] = [
  LEG,
  LEG_LEFT_OUT,
  WITHOUT_SIMILARITY,
  COLLECTED,
  LEXICAL_ENGINE,
  SHARDS,
];
