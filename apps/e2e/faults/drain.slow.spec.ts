import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeparateProcess } from '../harness/separate-services';
import { until } from '../harness/waiting';

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

  it.each(['gateway', 'ingestion-service'])('%s ends in order, without an error', async (app) => {
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
    const ended = await starting.startAndStop(() =>
      until(
        () => `a connection to the engine; the log:\n${starting.logged}`,
        () => connections > before,
      ),
    );
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(starting.logged).not.toMatch(/error|\bat .*:\d+:\d+/i);
  });
});
