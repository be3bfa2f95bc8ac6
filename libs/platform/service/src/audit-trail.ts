import { auditRecorded, type AuditRecord } from '@acervo/contracts';
import { AuditTrail } from '@acervo/platform-calls';
import type { Transaction } from '@acervo/platform-database';
import type { Outbox } from '@acervo/platform-messaging';

/** Audit records leave as events, from the transaction of what they tell. */
export class OutboxAuditTrail extends AuditTrail {
  constructor(private readonly outbox: Outbox) {
    super();
  }

  record(tx: Transaction, entry: AuditRecord): Promise<void> {
    return this.outbox.append(tx, auditRecorded, entry);
  }
}
