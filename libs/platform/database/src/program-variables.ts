import { appRole, ownerRole, QUEUE_ROLE, reconcilerRole } from './bootstrap';
import type { DatabaseConnection } from './connection';

/** The variables under which the program of a service finds a database and logs in to it. */
export const databaseVariables = (
  connection: (role: string) => DatabaseConnection,
  service: string,
): Record<string, string> => {
  const { host, port, database } = connection(appRole(service));
  const password = (role: string): string => connection(role).password;
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
