import { declareSeconds, type MetricDeclaration } from '@acervo/platform-observability';

export const OBJECT_STORE = declareSeconds(
  'object_store_seconds',
  'Time that a request to the bucket took',
  ['engine', 'operation', 'outcome'],
  { only: 'ACERVO_OBJECT_STORE=s3' },
);

export const objectStoreMetrics: readonly MetricDeclaration[] = [OBJECT_STORE];
