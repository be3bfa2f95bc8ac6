export { OperationsConfig, operationsGuide, operationsService } from './operations.service-definition';
export { operationsMigrations } from './migrations';
export { verifyAuditIn } from './wishes/verify-audit';
