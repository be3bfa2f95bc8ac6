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

export const PEPPER_AGE = declareGauge(
  'pepper_age_seconds',
  'Seconds since a process first had the current version of ACERVO_KEY_PEPPER as current; the same in every process',
);

export const authMetrics: readonly MetricDeclaration[] = [MAIL, SIGNING_KEY_AGE, PEPPER_AGE];
