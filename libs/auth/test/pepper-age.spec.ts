import { Metrics } from '@acervo/platform-observability';
import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { authMigrations, Peppers } from '../src';
import { PepperFigures } from '../src/secrets/pepper-figures';

const BOTH = '1:a pepper of the test,2:another pepper of the test';

describe('the age of the key pepper', () => {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await openTestDatabase({ auth: migrationsOf('auth', authMigrations) });
  });
  afterAll(() => server.close());

  /** What a process with these settings publishes. */
  const published = async (current: number | null, database = server.database('auth')): Promise<string> => {
    const metrics = new Metrics('auth');
    await new PepperFigures(database, new Peppers(BOTH, current), metrics).read();
    return metrics.registry.metrics();
  };
  const secondsIn = (text: string): number => Number(/^acervo_pepper_age_seconds\{.*\} (.*)$/m.exec(text)?.[1]);

  it('begins with the first process that has the version as current, and is the same in every process', async () => {
    expect(secondsIn(await published(1))).toBeLessThan(60);
    await server.asOwner('auth', `update auth.pepper_version set current_since = now() - interval '90 days'`);
    expect(secondsIn(await published(1))).toBeCloseTo(90 * 86_400, -2);
    expect(secondsIn(await published(2))).toBeLessThan(60);
    expect(secondsIn(await published(null))).toBeLessThan(60);
    expect(secondsIn(await published(1))).toBeCloseTo(90 * 86_400, -2);
  });

  it('is not published before the database has answered', async () => {
    const away = server.database('auth');
    jest.spyOn(away, 'ungrouped').mockRejectedValue(new Error('away'));
    expect(await published(1, away)).not.toMatch(/^acervo_pepper_age_seconds\{/m);
    jest.restoreAllMocks();
  });
});
