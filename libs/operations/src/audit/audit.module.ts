import { Module } from '@nestjs/common';
import { OperationsConfig } from '../operations.config';
import { AnchorCheck } from './anchor-check';
import { AnchorPlan, AnchorStage } from './anchor.stage';
import { AnchorStore } from './anchor.store';
import { AuditAnchors } from './audit-anchor';
import { AuditChain } from './audit-chain';
import { AuditKeys } from './audit-keys';
import { AuditHandlers } from './audit.handlers';
import { AuditStore } from './audit.store';

/** The chain of audit records of each group, and its signed heads in the object store. */
@Module({
  providers: [
    {
      provide: AuditKeys,
      inject: [OperationsConfig],
      useFactory: ({ auditKey, auditKeyCurrent }: OperationsConfig) => new AuditKeys(auditKey, auditKeyCurrent),
    },
    ...[AuditChain, AuditStore, AuditHandlers],
    ...[AuditAnchors, AnchorStore, AnchorCheck, AnchorPlan, AnchorStage],
  ],
  exports: [AuditKeys],
})
export class AuditModule {}
