import { CountersConfig, MailConfig, type ServiceDefinition } from '@acervo/platform-service';
import { authMetrics } from './auth.metrics';
import { AuthConfig } from './auth-config';
import { CROSS_GROUP_CONNECTIONS } from './databases/databases';
import { authMigrations, authSharedTables } from './migrations';
import { authAdminCommands } from './admin-commands/auth.admin-commands';

/** The definition of auth besides its module. */
export const authService: ServiceDefinition = {
  name: 'auth',
  config: [CountersConfig, AuthConfig, MailConfig],
  ownsLocations: true,
  connections: { stages: true, additional: CROSS_GROUP_CONNECTIONS },
  migrations: authMigrations,
  sharedTables: authSharedTables,
  commands: authAdminCommands,
  metrics: authMetrics,
};
