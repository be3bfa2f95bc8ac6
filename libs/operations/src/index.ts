export { OperationsConfig, operationsService } from './operations.service-definition';
export { operationsMigrations } from './migrations';
