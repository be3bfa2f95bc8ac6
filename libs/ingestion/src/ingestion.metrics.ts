import { declareCounter, declareSeconds, type MetricDeclaration } from '@acervo/platform-observability';

export const STORE_DIFFERENCES = declareCounter(
  'store_differences_total',
  'Differences between the stores, by kind and outcome: repaired, left; check left above 0',
  ['kind', 'outcome'],
);

export const SEARCHABLE = declareSeconds(
  'document_searchable_seconds',
  'Time from the scan that found a new document to its being searchable',
  [],
  { buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400] },
);

export const ingestionMetrics: readonly MetricDeclaration[] = [STORE_DIFFERENCES, SEARCHABLE];
