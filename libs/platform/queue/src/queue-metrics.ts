import { declareCounter, declareGauge, declareSeconds, type MetricDeclaration } from '@acervo/platform-observability';

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

export const WORK_WAITING = declareGauge(
  'work_waiting',
  'Work that could begin and no worker has, by stage; counted up to 10000, the same in every process',
  ['stage'],
);
export const WORK_OLDEST = declareGauge(
  'work_oldest_seconds',
  'How long the oldest of this work has waited; growing, the stage stands still',
  ['stage'],
);
export const GROUP_OLDEST = declareGauge(
  'work_group_oldest_seconds',
  'How long the oldest work of a group has waited, over all groups with waiting work: their maximum and median',
  ['over'],
);
export const BUSIEST_GROUP = declareGauge(
  'work_busiest_group_share',
  'Share of the waiting work that is of one group, the one with most of it; from 0 to 1',
);

export const queueMetrics: readonly MetricDeclaration[] = [
  GIVEN_UP,
  WORK,
  STAGE,
  WORK_WAITING,
  WORK_OLDEST,
  GROUP_OLDEST,
  BUSIEST_GROUP,
];
