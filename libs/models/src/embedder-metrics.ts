import { declareGauge, declareSeconds, type MetricDeclaration, type Metrics } from '@acervo/platform-observability';
import type { Embedders } from './embedders';
import type { RequestObserver } from './http/request-observer';

const REQUESTS = declareSeconds(
  'embedder_request_seconds',
  'Time that one request to the embedder took, by outcome: ok, refused, unavailable (tried again), unusable',
  ['kind', 'outcome'],
);
const WAITING = declareGauge('embedder_waiting', 'Requests to the embedder that wait for their turn', ['kind']);
const PAUSED = declareGauge(
  'embedder_paused',
  'Whether the embedder failed repeatedly and is not asked for a moment (its circuit is open): 1 or 0',
  ['kind'],
);
/** Metrics of services that embed texts; an embedder in the process has no values. */
export const embedderMetrics: readonly MetricDeclaration[] = [REQUESTS, WAITING, PAUSED];

/** Reports each request to an embedder. */
export const requestsIn = (metrics: Metrics): RequestObserver => {
  const seconds = metrics.seconds(REQUESTS);
  return (kind, outcome, took) => seconds.observe({ kind, outcome }, took);
};

/** Publishes how busy the embedders are, as of each scrape. */
export const publishLoad = (metrics: Metrics, embedders: Embedders): void => {
  const loads = (): (readonly [kind: 'query' | 'passage', waiting: number, isPaused: boolean])[] =>
    (['query', 'passage'] as const).flatMap((kind) => {
      const load = embedders.load(kind);
      return load === null ? [] : [[kind, load.waiting, load.isPaused] as const];
    });
  metrics.gauge(WAITING, (gauge) => loads().forEach(([kind, waiting]) => gauge.set({ kind }, waiting)));
  metrics.gauge(PAUSED, (gauge) => loads().forEach(([kind, , isPaused]) => gauge.set({ kind }, isPaused ? 1 : 0)));
};
