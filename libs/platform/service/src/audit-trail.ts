import { auditRecorded, type AuditRecord, type ServiceName } from '@acervo/contracts';
import { AuditTrail, RequestsDone } from '@acervo/platform-calls';
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

/** Requests that had their effect stand beside the events that did, and are forgotten with them. */
export class InboxOfRequests extends RequestsDone {
  constructor(private readonly service: ServiceName) {
    super();
  }

  async note(tx: Transaction, requestId: string): Promise<boolean> {
    const sql = `insert into ${this.service}.inbox (event_id) values ($1) on conflict do nothing returning event_id`;
    return (await tx.query(sql, [requestId])).length > 0;
  }
}
