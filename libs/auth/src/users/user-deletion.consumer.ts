import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditRecord, userDependentsDeleted, type UserDependentsDeleted } from '@acervo/contracts';
import { AuditTrail } from '@acervo/platform-calls';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { UserDeletionStore } from './user-deletion.store';

/** The code under which the end of a deletion is recorded; `users.delete` records its beginning. */
const ENDED = 'users.end_deletion';

/** Deletes an account once the last service has deleted what names its user, and records that. */
@Injectable()
export class UserDeletionConsumer {
  constructor(
    private readonly deletions: UserDeletionStore,
    private readonly audit: AuditTrail,
  ) {}

  @On(userDependentsDeleted)
  async finish(scope: WorkScope, tx: Transaction, { userId, service }: UserDependentsDeleted): Promise<void> {
    const address = await this.deletions.finish(tx, userId, service);
    if (address !== undefined) await this.audit.record(tx, this.ended(scope, address));
  }

  private ended({ service, cause }: WorkScope, address: string): AuditRecord {
    return Object.assign(new AuditRecord(), {
      ...{ recordId: randomUUID(), call: ENDED, outcome: 'SUCCEEDED', error: null },
      ...{ actor: `service:${service}`, subject: address, target: null },
      ...{ cause: `work:${cause}`, caller: service, at: new Date().toISOString() },
    });
  }
}
