import { readConfig } from '@acervo/platform-config';
import { Metrics } from '@acervo/platform-observability';
import { silent } from '@acervo/platform-testing';
import { CountersConfig } from './counters-config';
import { closeEngines, type EnginesOf, openEngines } from './engines';
import { ObjectStoreConfig } from './object-store-config';
import { checksOf } from './readiness';
import { ServiceConfig } from './service-config';

const ALL = {
  ...{ ACERVO_OBJECT_STORE: 's3', ACERVO_S3_ENDPOINT: 'http://127.0.0.1:1', ACERVO_COUNTERS: 'redis' },
  ...{ ACERVO_REDIS_URL: 'redis://127.0.0.1:1', ACERVO_DATABASE_PORT: '1' },
};

describe('what a service serves from', () => {
  /** Nothing of it is there: engines are opened when they are first asked. */
  const opened = async <C extends ServiceConfig, T>(
    settings: new () => C,
    environment: Readonly<Record<string, string>>,
    work: (engines: EnginesOf<C>, checks: ReturnType<typeof checksOf>) => Promise<T> | T,
  ): Promise<T> => {
    const config = readConfig(settings, environment);
    const engines = openEngines('auth', config, { logger: silent, metrics: new Metrics('auth') });
    try {
      return await work(engines, checksOf(config, engines));
    } finally {
      await closeEngines(engines);
    }
  };
  const namesOf = <C extends ServiceConfig>(
    settings: new () => C,
    environment: Readonly<Record<string, string>> = ALL,
  ): Promise<string[]> => opened(settings, environment, (_engines, checks) => checks.map(({ name }) => name));

  it('is the database and what rings for work, and no engine that its settings do not name', async () => {
    expect(await namesOf(ServiceConfig)).toEqual(['database', 'jobs']);
    await opened(ServiceConfig, ALL, ({ objects, counters, redis }) =>
      expect([objects, counters, redis]).toEqual([undefined, undefined, null]),
    );
  });
  it('is the bucket where it has objects in one, and not a directory', async () => {
    expect(await namesOf(ObjectStoreConfig)).toEqual(['database', 'jobs', 'objects']);
    expect(await namesOf(ObjectStoreConfig, {})).toEqual(['database', 'jobs']);
  });
  it('is the Redis that counts, which the jobs name where they are kept there as well', async () => {
    expect(await namesOf(CountersConfig)).toEqual(['database', 'jobs', 'counters']);
    expect(await namesOf(CountersConfig, {})).toEqual(['database', 'jobs']);
  });
  it('is told to be away without the service being so: what cannot be counted alone is refused', async () => {
    await opened(CountersConfig, ALL, async (_engines, checks) => {
      const counters = checks.find(({ name }) => name === 'counters');
      expect(counters?.spare).toBe(true);
      await expect(counters?.check()).rejects.toThrow(/Redis/);
    });
  });
});
