import { randomUUID } from 'node:crypto';
import { app as ingestion } from '@acervo/ingestion-service-app';
import { carryOut, migrationsOf, readArguments } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { services } from '@acervo/contracts';
import { replayDeadFor } from '../src/events-desk';

describe('the command that has events handled again which were laid aside', () => {
  // The program of a service works on the schema of its version alone.
  const own = new Map<string, typeof ingestion.migrations>([[ingestion.name, ingestion.migrations]]);
  let server: TestDatabase;
  beforeAll(async () => {
    server = await openTestDatabase(
      Object.fromEntries(services.map((service) => [service, migrationsOf(service, own.get(service))])),
    );
  }, 60_000);
  afterAll(() => server.close());

  const layAside = (service: (typeof services)[number], times = 1) =>
    server.asOwner(
      service,
      `insert into ${service}.dead_letter (group_id, topic, event_key, payload, cause, attempts, reason)
       select $1, 'x.v1', 'k' || n, '{}', 'test', 8, 'Error' from generate_series(1, $2::int) n`,
      [randomUUID(), times],
    );
  const waiting = async (): Promise<unknown[]> =>
    Promise.all(
      services.map(async (service) =>
        Number((await server.asOwner(service, `select count(*) as n from ${service}.incoming`))[0]?.['n']),
      ),
    );

  it('does so for every service of one machine, and says how many there were', async () => {
    await layAside('ingestion');
    await layAside('operations', 2);
    const said: string[] = [];
    const ask = () =>
      replayDeadFor(
        (role) => server.connection(role),
        (line) => said.push(line),
      );
    await ask();
    await ask();
    expect(said).toEqual([
      'ingestion: 1 event of 1 key that had been laid aside is handled again.',
      'operations: 2 events of 2 keys that had been laid aside are handled again.',
      'No event was laid aside.',
    ]);
    expect(await waiting()).toEqual(services.map((name) => ({ ingestion: 1, operations: 2 })[name as string] ?? 0));
  });

  it('is answered by the program of one service from its own settings', async () => {
    await layAside('ingestion', 3);
    const { host, port, database, password } = server.connection('ingestion_app');
    const environment = {
      ACERVO_DATABASE_HOST: host,
      ACERVO_DATABASE_PORT: String(port),
      ACERVO_DATABASE_NAME: database,
      ACERVO_DATABASE_APP_PASSWORD: password,
      ACERVO_CURSOR_KEY: 'a cursor key of the test',
    };
    const said: string[] = [];
    const asked = readArguments(ingestion, ['--replay-dead']);
    await carryOut(ingestion, environment, asked, (line) => void said.push(line));
    expect(said).toEqual(['ingestion: 3 events of 3 keys that had been laid aside are handled again.']);
  });
});
