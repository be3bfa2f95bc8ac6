import 'reflect-metadata';
import { authService } from '@acervo/auth';
import type { ProgramName } from '@acervo/contracts';
import { gatewayService } from '@acervo/gateway';
import { ingestionService } from '@acervo/ingestion';
import { operationsService } from '@acervo/operations';
import { InvalidConfiguration } from '@acervo/platform-config';
import { MigrationBlocked, MigratorBusy } from '@acervo/platform-database';
import { CannotMigrate, migrateDatabase, SchemaUnfit, type ServiceDefinition } from '@acervo/platform-service';
import { retrievalService } from '@acervo/retrieval';
import { chatService } from '@acervo/chat';

const HELP = `migrate [service ...]: makes the database ready and brings schemas up to date, all of them or those named.
docs/operations.md lists the variables that it reads.
`;

/** Errors whose message is enough output for an operator. */
const EXPECTED = [CannotMigrate, InvalidConfiguration, MigrationBlocked, MigratorBusy, SchemaUnfit];

/** The service of each program: without one for a row of `serviceTable` this does not compile. */
const owned: Readonly<Record<ProgramName, ServiceDefinition>> = {
  chat: chatService,
  auth: authService,
  gateway: gatewayService,
  ingestion: ingestionService,
  operations: operationsService,
  retrieval: retrievalService,
};
const names = process.argv.slice(2);

const migrate = async (): Promise<void> => {
  const migrations = Object.fromEntries(
    Object.values(owned).map(({ name, migrations: serviceMigrations }) => [name, serviceMigrations ?? []]),
  );
  const ran = await migrateDatabase(migrations, process.env, names);
  for (const name of ran) process.stdout.write(`${name}\n`);
  process.stdout.write(`${ran.length} migrations ran.\n`);
};

if (names.includes('--help')) process.stdout.write(HELP);
else
  migrate().catch((error: unknown) => {
    const isExpected = EXPECTED.some((Expected) => error instanceof Expected);
    process.stderr.write(`${error instanceof Error ? (isExpected ? error.message : error.stack) : String(error)}\n`);
    process.exitCode = 1;
  });
