import { declareCounter, declareGauge, declareSeconds, type MetricDeclaration } from '@acervo/platform-observability';

const KAFKA = { only: 'ACERVO_EVENTS=kafka' } as const;

export const HANDLED = declareCounter(
  'events_total',
  'Tries to handle an event, by outcome: handled, failed (tried again)',
  ['topic', 'outcome'],
);
export const EVENT = declareSeconds('event_seconds', 'Time that handling an event took', ['topic', 'outcome']);
export const EVENT_WAIT = declareSeconds('event_wait_seconds', 'Time from publishing an event to its first try', [
  'topic',
]);
export const DEAD_LETTERED = declareCounter(
  'events_laid_aside_total',
  'Events that were dead-lettered with their key; check anything above 0',
  ['topic'],
);
export const WAITING = declareGauge(
  'events_waiting',
  'Events that wait, by place: outbox, incoming, parked, dead_letter; counted up to 10000, the same in every process',
  ['service', 'where'],
);
export const OLDEST = declareGauge(
  'events_oldest_seconds',
  'Age of the oldest event that waits, by place: growing in outbox the relay stands still, in incoming the service',
  ['service', 'where'],
);
export const PUBLISHED = declareCounter('events_published_total', 'Events that Kafka has accepted', ['topic'], KAFKA);
export const RECEIVED = declareCounter('events_received_total', 'Events that came from Kafka', ['topic'], KAFKA);
export const MALFORMED = declareCounter(
  'events_malformed_total',
  'Messages that are no events, or whose event the database refuses; they go to the dead-letter topic',
  ['topic'],
  KAFKA,
);
export const UNPROVEN = declareCounter(
  'events_unproven_total',
  'Messages that no service which publishes their topic has signed; they go to the dead-letter topic; check anything above 0',
  ['topic'],
  KAFKA,
);
export const CONSUMER_ENDED = declareCounter(
  'events_consumer_ended_total',
  'Unexpected ends of a Kafka consumer; a new one takes its place',
  [],
  KAFKA,
);
export const LAG = declareGauge(
  'events_lag',
  'Events in Kafka that the service has not received yet; absent while Kafka does not answer',
  ['topic'],
  KAFKA,
);

export const messagingMetrics: readonly MetricDeclaration[] = [
  HANDLED,
  EVENT,
  EVENT_WAIT,
  DEAD_LETTERED,
  WAITING,
  OLDEST,
  PUBLISHED,
  RECEIVED,
  MALFORMED,
  UNPROVEN,
  CONSUMER_ENDED,
  LAG,
];
