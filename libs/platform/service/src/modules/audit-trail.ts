import { Inject, Injectable } from '@nestjs/common';
import { auditRecorded, type AuditRecord, type ServiceName } from '@acervo/contracts';
import { AuditTrail, RequestsDone } from '@acervo/platform-calls';
import { SERVICE_NAME } from '@acervo/platform-config';
import type { Transaction } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';

/** Publishes audit records as events, in the transaction of the change that they record. */
@Injectable()
export class OutboxAuditTrail extends AuditTrail {
  constructor(private readonly outbox: Outbox) {
    super();
  }

  record(tx: Transaction, entry: AuditRecord): Promise<void> {
    return this.outbox.append(tx, auditRecorded, entry);
  }
}

/** Records requests that took effect in the inbox, beside handled events, and expires them with those. */
@Injectable()
export class InboxOfRequests extends RequestsDone {
  constructor(@Inject(SERVICE_NAME) private readonly service: ServiceName) {
    super();
  }

  async note(tx: Transaction, requestId: string): Promise<boolean> {
    const sql = `insert into ${this.service}.inbox (event_id) values ($1) on conflict do nothing returning event_id`;
    return (await tx.query(sql, [requestId])).length > 0;
  }

  async isNoted(tx: Transaction, requestId: string): Promise<boolean> {
    return (await tx.query(`select from ${this.service}.inbox where event_id = $1`, [requestId])).length > 0;
  }
}
