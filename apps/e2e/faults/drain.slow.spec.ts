import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeparateProcess } from '../harness/separate-services';
import { runBench } from './run-bench';

/** What the bench counted for one service. */
interface Drained {
  readonly answered: number;
  /** Requests and calls whose connection broke; a busy machine may also answer some too late. */
  readonly broken: number;
  readonly deaths: number;
  readonly runs: readonly string[];
  readonly ends: readonly { readonly code: number | null; readonly ms: number }[];
}

describe('a service that receives SIGTERM', () => {
  it('under load no connection breaks, and a scan goes on without deaths', async () => {
    const parameters = { service: 'ingestion', rounds: 2, rate: 10, files: 4_000 };
    const { result, printed } = await runBench('drain', parameters);
    if (result === undefined) throw new Error(printed);
    const [found] = result as readonly Drained[];
    expect(found).toMatchObject({ broken: 0, deaths: 0 });
    expect(found?.answered).toBeGreaterThan(50);
    expect(found?.ends.map(({ code }) => code)).toEqual([0, 0]);
    for (const { ms } of found?.ends ?? []) expect(ms).toBeLessThan(30_000);
  }, 300_000);
});

describe('a start that waits for an engine', () => {
  /** Accepts connections and never answers. */
  let silent: Server;
  let connections = 0;
  const place = mkdtempSync(join(tmpdir(), 'acervo-drain-'));
  beforeAll(async () => {
    silent = createServer(() => (connections += 1));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    silent.close();
    rmSync(place, { recursive: true, force: true });
  });

  it.each(['gateway', 'ingestion-service'])(
    '%s ends in order, without an error',
    async (app) => {
      const before = connections;
      const log = join(place, `${app}.log`);
      const environment = {
        ...{ ACERVO_DATABASE_HOST: '127.0.0.1', ACERVO_DATABASE_PORT: String((silent.address() as AddressInfo).port) },
        ...{ ACERVO_DATABASE_APP_PASSWORD: 'none', ACERVO_DATABASE_OWNER_PASSWORD: 'none' },
        ...{ ACERVO_DATABASE_RECONCILER_PASSWORD: 'none', ACERVO_DATABASE_QUEUE_PASSWORD: 'none' },
        ...{ ACERVO_KEY_PEPPER: 'p'.repeat(32), ACERVO_CURSOR_KEY: 'c'.repeat(32), ACERVO_EMBEDDER: 'hashing' },
        ...{ ACERVO_EVENTS: 'embedded', ACERVO_OBJECT_STORE: 'directory', ACERVO_OBJECTS_DIRECTORY: place },
      };
      const entry = require.resolve(`@acervo/${app}-app/main`);
      const starting = new SeparateProcess(entry, environment, log, { port: 0, health: 0 });
      const ended = await starting.startAndStop(async () => {
        while (connections === before) await new Promise((resolve) => setTimeout(resolve, 20));
      });
      expect(ended).toMatchObject({ code: 0, signal: null });
      expect(ended.ms).toBeLessThan(10_000);
      expect(starting.logged).not.toMatch(/error|\bat .*:\d+:\d+/i);
    },
    120_000,
  );
});
