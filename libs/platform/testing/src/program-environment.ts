import type { ServiceName } from '@acervo/contracts';
import { databaseVariables } from '@acervo/platform-database';
import type { TestDatabase } from './test-database';

/** The variables under which the program of a service finds a test database. */
export const programEnvironment = (db: TestDatabase, service: ServiceName): Record<string, string> =>
  databaseVariables((role) => db.connection(role), service);
