import { createHttpApp, HealthController, type HttpApp, type RunningServer, serve } from '@acervo/platform-http';
import { BlackHole, turnsOfTheLoop } from '@acervo/platform-testing';
import { ObjectStoreConfig, PlatformModule } from '../src';
import { BackgroundWork } from '../src/boot/background-work';
import { CountersConfig } from '../src/settings/counters-config';
import { RuntimeModule } from '../src/modules/runtime.module';

const PROBES = 20;
/** Turns of the event loop: enough for an answer from memory, too few for any timer or engine. */
const FEW_TURNS = 10;

/** Every engine of a service at this port. */
const everyEngineAt = (port: number): Record<string, string> => ({
  ...{ ACERVO_DATABASE_PORT: String(port), ACERVO_EVENTS: 'kafka', ACERVO_KAFKA_BROKERS: `127.0.0.1:${port}` },
  ...{ ACERVO_OBJECT_STORE: 's3', ACERVO_S3_ENDPOINT: `http://127.0.0.1:${port}` },
  ...{ ACERVO_S3_ACCESS_KEY: 'key', ACERVO_S3_SECRET_KEY: 'secret' },
  ...{ ACERVO_QUEUE: 'redis', ACERVO_COUNTERS: 'redis', ACERVO_REDIS_URL: `redis://127.0.0.1:${port}` },
});

describe.each(['silent', 'dropping'] as const)('a service whose engines are a %s black hole', (kind) => {
  let hole: BlackHole;
  let http: HttpApp;
  let internal: RunningServer;

  beforeAll(async () => {
    hole = await BlackHole[kind]();
    class ApplicationModule {}
    const runtime = { environment: everyEngineAt(hole.port), logDestination: { write: () => undefined } };
    const service = { name: 'gateway', config: [ObjectStoreConfig, CountersConfig] } as const;
    const imports = [RuntimeModule.forProcess(runtime), PlatformModule.forService(service)];
    http = await createHttpApp({ module: ApplicationModule, imports });
    internal = await serve('internal', http.handler, '127.0.0.1', 0);
  });
  afterAll(async () => {
    await internal.close();
    // A refused connection ends what the clients still wait for.
    await hole.close();
    await http.app.get(BackgroundWork).stop();
    await http.close();
  });

  const checks = { database: false, jobs: false, kafka: false, objects: false };

  it('probes are answered while no engine answers, and name every engine', async () => {
    const probe = async (path: string): Promise<{ status: number; body: unknown }> => {
      const answer = await fetch(`http://127.0.0.1:${internal.port}${path}`);
      return { status: answer.status, body: await answer.json() };
    };
    for (let round = 0; round < PROBES; round += 1) {
      const [live, ready] = [await probe('/health/live'), await probe('/health/ready')];
      expect([live.status, ready.status, ready.body]).toEqual([200, 503, { ready: false, checks }]);
    }
  });

  it('the readiness report waits for no engine and no deadline', async () => {
    const report = http.app.get(HealthController, { strict: false }).report();
    expect(await Promise.race([report, turnsOfTheLoop(FEW_TURNS)])).toEqual({ ready: false, checks });
  });
});
