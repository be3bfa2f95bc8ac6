import { declareCounter, type MetricDeclaration } from '@acervo/platform-observability';

export const MAIL = declareCounter(
  'mail_total',
  'Tries to send a mail: sent, none (the recipient gets no mail), failed (tried again), given_up (lost after 24 hours)',
  ['outcome'],
);

export const authMetrics: readonly MetricDeclaration[] = [MAIL];
