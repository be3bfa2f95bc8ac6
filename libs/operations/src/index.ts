export { operationsGuide } from './catalogue/guide';
export { operationsMigrations } from './migrations';
export { OperationsConfig } from './operations.config';
export { OperationsModule } from './operations.module';
export { operationsService } from './operations.service-definition';
