import { declareCounter, declareSeconds, type MetricDeclaration } from '@acervo/platform-observability';

export const GIVEN_UP = declareCounter('work_given_up_total', 'Work that is not tried again, by reason', [
  'stage',
  'reason',
]);
export const WORK = declareCounter(
  'work_total',
  'Pieces of work that were tried, by outcome: done, failed (given back)',
  ['stage', 'outcome'],
);
export const STAGE = declareSeconds('stage_seconds', 'Time that a batch of a stage took; failed ones are tried again', [
  'stage',
  'outcome',
]);

export const queueMetrics: readonly MetricDeclaration[] = [GIVEN_UP, WORK, STAGE];
