import { callMetrics } from '@acervo/platform-calls';
import type { SettingsClass } from '@acervo/platform-config';
import { httpMetrics } from '@acervo/platform-http';
import { messagingMetrics } from '@acervo/platform-messaging';
import { objectStoreMetrics } from '@acervo/platform-object-store';
import { declareGauge, type MetricDeclaration, observabilityMetrics } from '@acervo/platform-observability';
import { queueMetrics } from '@acervo/platform-queue';
import { ObjectStoreConfig } from '../settings/object-store-config';
import type { ServiceDefinition } from '../service';

export const DATABASE_POOL = declareGauge(
  'database_pool',
  'Connections of a pool (requests, events, background) by state: in_use, idle; and transactions waiting for one',
  ['pool', 'state'],
);

export const REQUEST_PLACES = declareGauge(
  'request_places',
  'Public requests that this process works on (in_use), and those that wait for such a place (waiting)',
  ['state'],
);

const ofEveryService: readonly MetricDeclaration[] = [
  DATABASE_POOL,
  REQUEST_PLACES,
  ...observabilityMetrics,
  ...httpMetrics,
  ...callMetrics,
  ...messagingMetrics,
  ...queueMetrics,
];

/** Metrics of services whose settings include a class. */
const byConfig = new Map<SettingsClass, readonly MetricDeclaration[]>([[ObjectStoreConfig, objectStoreMetrics]]);

/** All metrics of a service but those of the Node process, those of every service first. */
export const metricsOf = ({
  config,
  metrics = [],
}: Pick<ServiceDefinition, 'config' | 'metrics'>): readonly MetricDeclaration[] => [
  ...ofEveryService,
  ...config.flatMap((type) => byConfig.get(type) ?? []),
  ...metrics,
];
