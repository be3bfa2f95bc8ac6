import { Module } from '@nestjs/common';
import { OperationsConfig } from '../operations.config';
import { AuditChain } from './audit-chain';
import { AuditKeys } from './audit-keys';
import { AuditHandlers } from './audit.handlers';
import { AuditStore } from './audit.store';

/** The chain of audit records of each group. */
@Module({
  providers: [
    {
      provide: AuditKeys,
      inject: [OperationsConfig],
      useFactory: ({ auditKey }: OperationsConfig) => new AuditKeys(auditKey),
    },
    ...[AuditChain, AuditStore, AuditHandlers],
  ],
  exports: [AuditKeys],
})
export class AuditModule {}
