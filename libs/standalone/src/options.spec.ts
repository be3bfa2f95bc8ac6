import { isGiven } from './given-engines';
import { startEnvironment } from './options';

describe('the environment of a start', () => {
  it('leaves the embedded engines in place unless it names others', () => {
    const environment = startEnvironment({ PATH: '/bin', ACERVO_LOG_LEVEL: 'warn' });
    expect([environment.engines, environment.server, environment.replicas]).toEqual([{}, {}, 1]);
    expect(isGiven(environment)).toBe(false);
  });
  it('passes on the engines that it chooses, and what leads to them', () => {
    const chosen = {
      ACERVO_QUEUE: 'redis',
      ACERVO_COUNTERS: 'redis',
      ACERVO_REDIS_URL: 'redis://localhost',
      ACERVO_EVENTS: 'kafka',
      ACERVO_KAFKA_BROKERS: 'localhost:9092',
    };
    expect(startEnvironment({ ...chosen, ACERVO_OTHER: 'x' }).engines).toEqual(chosen);
  });
  it('takes a PostgreSQL server in place of the embedded one where it may prepare it', () => {
    expect(isGiven(startEnvironment({ ACERVO_DATABASE_HOST: 'db' }))).toBe(false);
    expect(isGiven(startEnvironment({ ACERVO_DATABASE_ADMIN_USER: 'postgres' }))).toBe(true);
  });
  it.each([
    ['2', 2],
    ['0', 1],
    ['many', 1],
  ])('runs for ACERVO_REPLICAS=%s processes of each service: %d', (text, count) => {
    expect(startEnvironment({ ACERVO_REPLICAS: text }).replicas).toBe(count);
  });
});
