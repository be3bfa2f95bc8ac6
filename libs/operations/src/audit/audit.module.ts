import { Module } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { OperationsConfig } from '../operations.config';
import { AnchorCheck } from './anchor-check';
import { AnchorPlan, AnchorStage } from './anchor.stage';
import { AnchorStore } from './anchor.store';
import { AuditAnchors } from './audit-anchor';
import { AuditAlarm } from './audit-alarm';
import { AuditChain } from './audit-chain';
import { AuditKeys } from './audit-keys';
import { AuditFigures } from './audit-figures';
import { AuditConsumer } from './audit.consumer';
import { AuditHandlers } from './audit.handlers';
import { AuditStore } from './audit.store';
import { ChainWalk } from './chain-walk';
import { VerifiedChains } from './verified-chains';

/** The chain of audit records of each group, and its signed heads in the object store. */
@Module({
  providers: [
    {
      provide: AuditKeys,
      inject: [OperationsConfig],
      useFactory: ({ auditKey, auditKeyCurrent }: OperationsConfig) => new AuditKeys(auditKey, auditKeyCurrent),
    },
    AuditAlarm,
    AuditChain,
    AuditStore,
    ChainWalk,
    AuditHandlers,
    AuditConsumer,
    AuditAnchors,
    AnchorStore,
    AnchorCheck,
    AnchorPlan,
    AnchorStage,
    {
      // In the background, on connections that no request waits for.
      provide: VerifiedChains,
      inject: [BackgroundDatabase, AuditStore, AuditChain, AnchorStore],
      useFactory: (database: BackgroundDatabase, store: AuditStore, chain: AuditChain, anchors: AnchorStore) =>
        new VerifiedChains(new ChainWalk(database, store, chain), new AnchorCheck(database, store, anchors)),
    },
    AuditFigures,
  ],
  exports: [AuditKeys],
})
export class AuditModule {}
