import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseConnection } from '@acervo/platform-database';
import { type Asked, traffic } from '../harness/cluster/traffic';
import { HttpClient } from '../harness/http-client';
import { write } from '../harness/program';
import { SeparateProcess, SeparateServices } from '../harness/separate-services';
import { Tables } from '../harness/tables';
import { until } from '../harness/waiting';

/** Long enough that the balancers notice the drain on a busy machine. */
const DRAIN_SECONDS = 30;
/** One of two processes of each receives SIGTERM: what clients connect to, and what scans folders. */
const STOPPED = ['gateway', 'ingestion'] as const;
const PER_SECOND = 5;
const FILES = 400;
const NOBODY = '00000000-0000-0000-0000-000000000000';
/** An error that a process logs where a call to another process met a closed connection. */
const LOST = /was not answered: \S+ cannot be reached/;

describe('one of two processes that receives SIGTERM', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-sigterm-'));
  const folders = join(place, 'folders');
  let services: SeparateServices;
  beforeAll(async () => {
    mkdirSync(folders);
    services = await SeparateServices.start({
      ...{ place, twice: STOPPED, folders },
      settings: { ACERVO_DRAIN_SECONDS: String(DRAIN_SECONDS) },
    });
  });
  afterAll(async () => {
    await services.stop();
    rmSync(place, { recursive: true, force: true });
  });

  const lostCalls = (): string[] =>
    readdirSync(place)
      .filter((name) => name.endsWith('.log'))
      .flatMap((name) => readFileSync(join(place, name), 'utf8').split('\n'))
      .filter((line) => LOST.test(line));
  /** Highest number of deaths of a task or an event. */
  const deaths = async (): Promise<number> => {
    const connection = (role: string): DatabaseConnection => services.connection(role);
    const everyGroup = new Tables(connection, NOBODY);
    const [first] = await everyGroup.rows<{ group_id: string }>('auth_owner', 'select group_id from auth.installation');
    await everyGroup.close();
    if (first === undefined) throw new Error('There is no group.');
    const groupId = first.group_id;
    const tables = new Tables(connection, groupId);
    try {
      const counts: number[] = [];
      for (const service of ['ingestion', 'retrieval', 'operations'])
        for (const table of ['task', 'incoming']) {
          const sql = `select coalesce(max(deaths), 0)::int as deaths from ${service}.${table} where group_id = $1`;
          const [row] = await tables.rows<{ deaths: number }>(`${service}_owner`, sql, [groupId]);
          counts.push(row?.deaths ?? 0);
        }
      return Math.max(...counts);
    } finally {
      await tables.close();
    }
  };

  it('SIGTERM under light load breaks no connection and counts no death', async () => {
    const client = new HttpClient({ port: services.portOf('gateway'), key: services.key });
    await until(
      'the first request is answered',
      async () => (await client.send('GET', '/v1/locations')).status === 200,
    );
    const path = join(folders, 'long');
    write(
      path,
      Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`${index}.txt`, `Documento ${index}.`])),
    );
    await until('the folder is scanned', async () => {
      const { status } = await client.send('POST', '/v1/operations/locations.create:execute', { input: { path } });
      return status === 200;
    });
    const over = new AbortController();
    const headers = { authorization: `Bearer ${services.key}` };
    const mix: readonly Asked[] = [
      { name: 'locations', method: 'GET', path: '/v1/locations', headers },
      { name: 'documents', method: 'GET', path: '/v1/documents?limit=10', headers },
    ];
    const loads = [true, false].map((keptConnections) =>
      traffic(client.port, {
        ...{ perSecond: PER_SECOND, keptConnections, until: over.signal },
        mix: (turn) => mix[turn % mix.length] as Asked,
      }),
    );
    const stopped = STOPPED.flatMap((service) => services.processesOf(service).slice(0, 1));
    const ends = await Promise.all(stopped.map((each) => services.drain(each))).finally(() => over.abort());
    const found = await Promise.all(loads);
    const sent = found.reduce((sum, each) => sum + each.sent, 0);
    const broken = found.flatMap((each) => each.broken);
    expect({ codes: ends.map(({ code }) => code), broken, lost: lostCalls(), deaths: await deaths() }).toEqual({
      ...{ codes: STOPPED.map(() => 0), broken: [], lost: [], deaths: 0 },
    });
    expect(sent).toBeGreaterThan(DRAIN_SECONDS);
    const outAfter = ends.map(({ outMs }) => `${outMs.toFixed(0)} ms`).join(' and ');
    process.stdout.write(`out after ${outAfter}, ${sent} requests\n`);
  });
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
