import { isGiven } from './given-engines';
import { environmentFor, startEnvironment, type StartOptions } from './options';

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
  it('passes on how folders are scanned, how files are read and how much is done at once', () => {
    const chosen = {
      ...{ ACERVO_LARGEST_FILE_MB: '900', ACERVO_EXTRACTION_FILE_MB: '900', ACERVO_RESCAN_SECONDS: '60' },
      ...{ ACERVO_CPU_THREADS: '2', ACERVO_STAGE_CONCURRENCY: '4', ACERVO_DATABASE_POOL: '12' },
      ...{ ACERVO_RECONCILE_SECONDS: '60', ACERVO_RECONCILE_SETTLE_SECONDS: '5', ACERVO_OBJECT_GRACE_HOURS: '48' },
    };
    expect(startEnvironment({ ...chosen, ACERVO_OTHER: 'x' }).reading).toEqual(chosen);
  });
  it.each([
    [{}, '60'],
    [{ scanOnly: true }, '0'],
    [{ status: true }, '0'],
    [{ exportTo: 'a.json' }, '0'],
  ])(
    'has folders scanned by themselves with %j every %s seconds: 0 where nobody waits for changes',
    (asked, seconds) => {
      const options = { scanOnly: false, status: false, ...asked } as StartOptions;
      const environment = startEnvironment({ ACERVO_RESCAN_SECONDS: '60', ACERVO_OCR: 'false' });
      expect(environmentFor(options, environment).reading).toEqual({
        ACERVO_OCR: 'false',
        ACERVO_RESCAN_SECONDS: seconds,
      });
    },
  );
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
