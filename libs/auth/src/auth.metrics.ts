import { declareCounter, declareGauge, type MetricDeclaration } from '@acervo/platform-observability';

export const MAIL = declareCounter(
  'mail_total',
  'Tries to send a mail: sent, none (the recipient gets no mail), failed (tried again), given_up (lost after 24 hours)',
  ['outcome'],
);

export const SIGNING_KEY_AGE = declareGauge(
  'signing_key_age_seconds',
  'Seconds since the current key began to sign access tokens; beyond ACERVO_SIGNING_KEY_DAYS it is not replaced',
);

export const authMetrics: readonly MetricDeclaration[] = [MAIL, SIGNING_KEY_AGE];
