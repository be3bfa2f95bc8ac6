import { declareGauge, type MetricDeclaration } from '@acervo/platform-observability';

export const AUDIT_VERIFIED = declareGauge(
  'audit_verified_timestamp',
  'When audit records were last found to be as they were written, of the group where that is longest ago, in Unix seconds; 0 where a chain is broken since the start',
);

export const operationsMetrics: readonly MetricDeclaration[] = [AUDIT_VERIFIED];
