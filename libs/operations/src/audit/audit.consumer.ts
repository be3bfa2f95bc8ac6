import { Injectable } from '@nestjs/common';
import { auditRecorded, type AuditRecord } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { AnchorPlan } from './anchor.stage';
import { AuditStore } from './audit.store';

/** Records the writes that every service reports. */
@Injectable()
export class AuditConsumer {
  constructor(
    private readonly store: AuditStore,
    private readonly plan: AnchorPlan,
  ) {}

  @On(auditRecorded)
  async append(_scope: WorkScope, tx: Transaction, record: AuditRecord): Promise<void> {
    await this.store.append(tx, record);
    await this.plan.plan(tx);
  }
}
