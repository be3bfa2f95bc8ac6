import { declareCounter, declareGauge, declareSeconds, type MetricDeclaration } from '@acervo/platform-observability';

export const HTTP_REQUESTS = declareSeconds(
  'http_request_seconds',
  'Time to answer a request, by declared route and status; status aborted where the client was gone before the answer',
  ['method', 'route', 'status'],
);
export const PROBES = declareCounter(
  'probes_total',
  'Requests of probes and of scrapes: live, ready, metrics; they are no requests of acervo_http_request_seconds',
  ['probe', 'status'],
);
export const READY = declareGauge('ready', 'Whether an engine answers, by readiness check: 1 or 0', ['check']);

export const BODY_BYTES = declareGauge('body_bytes', 'Bytes reserved for bodies of requests that are being read', [
  'listener',
]);

export const httpMetrics: readonly MetricDeclaration[] = [HTTP_REQUESTS, PROBES, READY, BODY_BYTES];
