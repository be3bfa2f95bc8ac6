import 'reflect-metadata';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../src/kernel/free-port';
import type { Standalone } from '../src/installation/run-installation';
import { startStandalone } from '../src/supervisor/start';

describe('all services in one process, started while Kafka is unavailable', () => {
  let place: string;
  let running: Standalone;
  const printed: string[] = [];
  let isWorking = false;

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'acervo-kafka-away-'));
    const folder = join(place, 'folder');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.txt'), 'La norma ABC-123 regula los cascos.');
    const silentPort = await freePort();
    running = await startStandalone(
      {
        ...{ folder, sample: folder, data: join(place, 'data'), port: await freePort(), processes: false },
        ...{ scanOnly: false, acceptDeletions: false },
        embedder: 'hashing',
      },
      {
        ...{ administrator: 'admin@example.test', administratorPassword: 'una clave larga de prueba', mail: {} },
        ...{ logLevel: 'error', failpoint: undefined },
        engines: { ACERVO_EVENTS: 'kafka', ACERVO_KAFKA_BROKERS: `127.0.0.1:${silentPort}` },
        embedder: { ACERVO_EMBEDDER: 'hashing' },
      },
      (line) => printed.push(line),
    );
    running.working.then(
      () => (isWorking = true),
      () => undefined,
    );
  });
  afterAll(async () => {
    await running.stop();
    rmSync(place, { recursive: true, force: true });
  });

  it('a start without Kafka serves requests and reports what waits', async () => {
    const answer = await fetch(`http://127.0.0.1:${running.port}/version`);
    expect(answer.status).toBe(200);
    expect(printed.join('\n')).toContain('Kafka does not answer yet');
    expect(isWorking).toBe(false);
  });
});
