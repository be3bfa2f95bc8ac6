import { declareGauge, type MetricDeclaration } from '@acervo/platform-observability';

export const REQUEST_PLACES = declareGauge(
  'request_places',
  'Public requests that this process works on (in_use), and those that wait for such a place (waiting)',
  ['state'],
);

export const requestMetrics: readonly MetricDeclaration[] = [REQUEST_PLACES];
