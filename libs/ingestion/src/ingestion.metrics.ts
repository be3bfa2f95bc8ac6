import { declareCounter, type MetricDeclaration } from '@acervo/platform-observability';

export const STORE_DIFFERENCES = declareCounter(
  'store_differences_total',
  'Differences between the stores, by kind and outcome: repaired, left; check left above 0',
  ['kind', 'outcome'],
);

export const ingestionMetrics: readonly MetricDeclaration[] = [STORE_DIFFERENCES];
