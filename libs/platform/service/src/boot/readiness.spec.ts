import type { TestingModule } from '@nestjs/testing';
import { Test } from '@nestjs/testing';
import { EngineDown } from '@acervo/contracts';
import type { SettingsClass } from '@acervo/platform-config';
import { Counters, Rates } from '@acervo/platform-counters';
import { AddressLimiter, type ReadinessCheck, ReadinessChecks } from '@acervo/platform-http';
import { ObjectStore } from '@acervo/platform-object-store';
import { CountersConfig } from '../settings/counters-config';
import { ObjectStoreConfig } from '../settings/object-store-config';
import { PlatformModule } from '../platform.module';
import { RedisAccess } from '../modules/redis-access';
import { RuntimeModule } from '../modules/runtime.module';

const EVERY_ENGINE = {
  ...{ ACERVO_OBJECT_STORE: 's3', ACERVO_S3_ENDPOINT: 'http://127.0.0.1:1', ACERVO_COUNTERS: 'redis' },
  ...{ ACERVO_REDIS_URL: 'redis://127.0.0.1:1', ACERVO_DATABASE_PORT: '1' },
};

/** The platform of a service with these settings; engines are opened at first use, so none runs. */
const platformWith = async <T>(
  config: readonly SettingsClass[],
  environment: Readonly<Record<string, string>>,
  work: (app: TestingModule) => Promise<T> | T,
): Promise<T> => {
  const app = await Test.createTestingModule({
    imports: [
      RuntimeModule.forProcess({ environment, logDestination: { write: () => undefined } }),
      PlatformModule.forService({ name: 'chat', config }),
    ],
  }).compile();
  await app.init();
  try {
    return await work(app);
  } finally {
    await app.close();
  }
};

const checksWith = (
  config: readonly SettingsClass[],
  environment: Readonly<Record<string, string>> = EVERY_ENGINE,
): Promise<string[]> =>
  platformWith(config, environment, (app) =>
    app
      .get(ReadinessChecks)
      .all.map(({ name }) => name)
      .toSorted(),
  );

describe('the readiness of a service', () => {
  it('readiness needs the database, and no engine without settings', async () => {
    expect(await checksWith([], {})).toEqual(['database']);
    await platformWith([], { ...EVERY_ENGINE, ACERVO_COUNTERS: 'postgresql' }, (app) => {
      expect(() => app.get(ObjectStore)).toThrow();
      expect(() => app.get(Counters)).toThrow();
      expect(app.get(RedisAccess).isUsed).toBe(false);
    });
  });
  it('readiness names objects in a bucket, not in a directory', async () => {
    expect(await checksWith([ObjectStoreConfig])).toEqual(['counters', 'database', 'objects']);
    expect(await checksWith([ObjectStoreConfig], {})).toEqual(['database']);
  });
  it('readiness names counters when only they are in Redis', async () => {
    for (const config of [[], [CountersConfig]]) expect(await checksWith(config)).toEqual(['counters', 'database']);
    expect(await checksWith([CountersConfig], {})).toEqual(['database']);
  });
  it('readiness names jobs in Redis, as optional', async () => {
    const environment = { ...EVERY_ENGINE, ACERVO_COUNTERS: 'postgresql', ACERVO_QUEUE: 'redis' };
    expect(await checksWith([], environment)).toEqual(['database', 'jobs']);
    await platformWith([], environment, (app) => {
      expect(app.get(ReadinessChecks).all.filter(({ optional }) => optional !== true)).toHaveLength(1);
    });
  });
  it('without Redis, requests are counted by the process and guesses refused', async () => {
    await platformWith([CountersConfig], EVERY_ENGINE, async (app) => {
      await app.get(AddressLimiter).admit('192.0.2.1');
      const guess = { most: 5, seconds: 900 };
      await expect(app.get<Counters>(Counters).take('password:x', guess)).rejects.toThrow(EngineDown);
      const key = { name: 'key:x', rate: { perMinute: 60, burst: 2 } };
      const admitted = await Promise.all([1, 2, 3].map(() => app.get<Rates>(Rates).admit([key])));
      expect(admitted.map((counted) => counted.admitted)).toEqual([true, true, false]);
      const counters = app.get(ReadinessChecks).all.find(({ name }): boolean => name === 'counters') as ReadinessCheck;
      expect(counters.optional).toBe(true);
      await expect(counters.check()).rejects.toThrow(/Redis/);
    });
  });
});
