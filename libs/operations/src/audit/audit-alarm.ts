import { Injectable } from '@nestjs/common';
import { processRequested } from '@acervo/contracts';
import { BackgroundDatabase } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';

/** Asks for a person where the records of a group are not as they were written. */
@Injectable()
export class AuditAlarm {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly outbox: Outbox,
  ) {}

  /** Where the database is away, the next proof asks again. */
  async ring(scope: WorkScope): Promise<void> {
    const asking = this.database.write(scope, (tx) =>
      this.outbox.append(tx, processRequested, {
        ...{ processType: 'AUDITORIA', subject: 'chain', priority: 'URGENTE' },
        name: 'Check the audit records',
        description:
          'The audit records are not as they were written. The operator checks them with --verify-audit, which names the first one that differs.',
      }),
    );
    await asking.catch(() => undefined);
  }
}
