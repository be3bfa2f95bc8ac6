import { readConfig } from '@acervo/platform-config';
import { ConnectionBudget, type ConnectionNeeds } from './connection-budget';
import { EventsConfig } from './events-config';
import { RolesConfig } from './roles-config';
import { WorkConfig } from './work-config';

const ON_SERVERS = { ACERVO_EVENTS: 'kafka', ACERVO_KAFKA_BROKERS: 'kafka:9092', ACERVO_QUEUE: 'redis' };

const totalOf = (environment: Record<string, string>, needs: ConnectionNeeds = {}): number => {
  const [roles, work, events] = [
    readConfig(RolesConfig, environment),
    readConfig(WorkConfig, environment),
    readConfig(EventsConfig, environment),
  ];
  return new ConnectionBudget(roles, work, events, needs).total;
};

describe('the connections of a process', () => {
  it.each<[string, number, ConnectionNeeds, Record<string, string>]>([
    ['gateway', 20, {}, ON_SERVERS],
    ['auth', 30, { stages: true, additional: 4 }, ON_SERVERS],
    ['ingestion', 28, { stages: true, egress: true }, ON_SERVERS],
    ['an ingestion that fetches alone', 22, { stages: true, egress: true }, { ...ON_SERVERS, ACERVO_WORK: 'egress' }],
    [
      'an ingestion that does not fetch',
      26,
      { stages: true, egress: true },
      { ...ON_SERVERS, ACERVO_WORK: 'internal' },
    ],
    ['retrieval', 26, { stages: true }, ON_SERVERS],
    ['a service with jobs in PostgreSQL', 33, { stages: true }, {}],
    ['a small gateway', 14, {}, { ...ON_SERVERS, ACERVO_DATABASE_POOL: '2' }],
    [
      'an ingestion with more batches at a time',
      44,
      { stages: true, egress: true },
      { ...ON_SERVERS, ACERVO_STAGE_CONCURRENCY: '6' },
    ],
  ])('%s opens at most %i, as docs/operations.md says', (_, total, needs, environment) => {
    expect(totalOf(environment, needs)).toBe(total);
  });
});
