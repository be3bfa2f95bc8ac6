import type { ServiceName } from '@acervo/contracts';
import { appRole, ownerRole, QUEUE_ROLE, reconcilerRole } from '@acervo/platform-database';
import type { TestDatabase } from './test-database';

/** The variables under which the program of a service finds a test database. */
export const programEnvironment = (db: TestDatabase, service: ServiceName): Record<string, string> => {
  const { host, port, database } = db.connection(appRole(service));
  const password = (role: string): string => db.connection(role).password ?? '';
  return {
    ACERVO_DATABASE_HOST: host,
    ACERVO_DATABASE_PORT: String(port),
    ACERVO_DATABASE_NAME: database,
    ACERVO_DATABASE_APP_PASSWORD: password(appRole(service)),
    ACERVO_DATABASE_OWNER_PASSWORD: password(ownerRole(service)),
    ACERVO_DATABASE_RECONCILER_PASSWORD: password(reconcilerRole(service)),
    ACERVO_DATABASE_QUEUE_PASSWORD: password(QUEUE_ROLE),
  };
};
