import { declareSeconds, type MetricDeclaration } from '@acervo/platform-observability';

export const CALLS = declareSeconds(
  'call_seconds',
  'Time until a call was answered, by outcome: ok, refused (an error of the contract), unanswered, failed',
  ['call', 'way', 'outcome'],
);

export const callMetrics: readonly MetricDeclaration[] = [CALLS];
