import { randomUUID } from 'node:crypto';
import { app as ingestion } from '@acervo/ingestion-service-app';
import { execute, migrationsOf, readArguments, type ServiceDefinition } from '@acervo/platform-service';
import { openTestDatabase, type TestDatabase } from '@acervo/platform-testing';
import { type ServiceName, services } from '@acervo/contracts';
import { AdminCommandExecutor, type AdminCommandDependencies } from '../src/commands/admin-command-executor';
import { plainScreen } from '../src/terminal/progress/screen';

describe('the command that replays dead-lettered events', () => {
  // The program of a service requires the schema of its own version.
  const currentMigrations = new Map<ServiceName, ServiceDefinition['migrations']>([
    [ingestion.service.name, ingestion.service.migrations],
  ]);
  let server: TestDatabase;
  beforeAll(async () => {
    server = await openTestDatabase(
      Object.fromEntries(services.map((service) => [service, migrationsOf(service, currentMigrations.get(service))])),
    );
  });
  afterAll(() => server.close());

  const deadLetter = (service: (typeof services)[number], times = 1) =>
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

  it('a replay covers every service and prints the numbers of events', async () => {
    await deadLetter('ingestion');
    await deadLetter('operations', 2);
    const printed: string[] = [];
    const connection: AdminCommandDependencies['connection'] = (role) => server.connection(role);
    const executor = new AdminCommandExecutor({ connection } as AdminCommandDependencies);
    const screen = plainScreen((line) => void printed.push(line));
    const ask = () => executor.execute([{ name: 'replay-dead' }], { screen });
    await ask();
    await ask();
    expect(printed).toEqual([
      'ingestion: 1 event of 1 key that were dead-lettered is handled again.',
      'operations: 2 events of 2 keys that were dead-lettered are handled again.',
      'There are no dead letters.',
    ]);
    expect(await waiting()).toEqual(services.map((name) => ({ ingestion: 1, operations: 2 })[name as string] ?? 0));
  });

  it('the program of one service replays its dead letters', async () => {
    await deadLetter('ingestion', 3);
    const { host, port, database, password } = server.connection('ingestion_app');
    const environment = {
      ACERVO_DATABASE_HOST: host,
      ACERVO_DATABASE_PORT: String(port),
      ACERVO_DATABASE_NAME: database,
      ACERVO_DATABASE_APP_PASSWORD: password,
      ACERVO_CURSOR_KEY: 'a cursor key of the test',
    };
    const printed: string[] = [];
    const asked = readArguments(ingestion.service, ['--replay-dead']);
    await execute(ingestion, environment, asked, (line) => void printed.push(line));
    await execute(ingestion, environment, asked, (line) => void printed.push(line));
    expect(printed).toEqual([
      'ingestion: 3 events of 3 keys that were dead-lettered are handled again.',
      'There are no dead letters.',
    ]);
  });
});
