import { ChatModelConfig, ObjectStoreConfig, type ServiceDefinition } from '@acervo/platform-service';
import { operationsMigrations, operationsSharedTables } from './migrations';
import { OperationsConfig } from './operations.config';
import { operationsMetrics } from './operations.metrics';
import { operationsAdminCommands } from './admin-commands/operations.admin-commands';

export const operationsService: ServiceDefinition = {
  name: 'operations',
  config: [ChatModelConfig, ObjectStoreConfig, OperationsConfig],
  connections: { stages: true },
  migrations: operationsMigrations,
  sharedTables: operationsSharedTables,
  commands: operationsAdminCommands,
  metrics: operationsMetrics,
};
