// The program of a service of a later version: it does not start without the migration that the version adds.
import { stopSignal } from '@acervo/platform-service/stop-signal';
import 'reflect-metadata';
import { join } from 'node:path';
import type { MigrationClass } from '@acervo/platform-database';
import { runService, type ServiceProgram } from '@acervo/platform-service';
import { repository } from '../program';
import { expanding } from './later-version';

/** The folder of the service in `apps`. */
const { LATER_VERSION_OF: folder = '', ...environment } = process.env;

const run = async (): Promise<void> => {
  const program = join(repository, 'apps', folder, 'dist', 'app.module.js');
  const { app } = (await import(program)) as { readonly app: ServiceProgram };
  // A service without migrations of its own has the tables of messaging alone; it accepts the expansion.
  (app.service.migrations as MigrationClass[] | undefined)?.push(expanding(app.service.name));
  await runService(app, environment, [], stopSignal);
};

run().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
