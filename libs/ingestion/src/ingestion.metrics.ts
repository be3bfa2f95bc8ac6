import { declareCounter, declareGauge, declareSeconds, type MetricDeclaration } from '@acervo/platform-observability';

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

export const LAST_COMPARISON = declareGauge(
  'last_comparison_seconds',
  'Seconds since the last comparison of the stores, of the group compared longest ago; the same in every process',
);
export const LAST_SCAN = declareGauge(
  'last_scan_seconds',
  'Seconds since the last scan of a root, of the one scanned longest ago; the same in every process',
);
export const UNMOUNTED = declareGauge(
  'shares_unmounted',
  'Shares that the latest scans found unmounted; the same in every process',
);

export const ingestionMetrics: readonly MetricDeclaration[] = [
  STORE_DIFFERENCES,
  SEARCHABLE,
  LAST_COMPARISON,
  LAST_SCAN,
  UNMOUNTED,
];
