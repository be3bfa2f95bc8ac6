import { AuditTrail } from '@acervo/platform-calls';

/** Writes no audit records, for suites of one service that are not about them. */
export class NoTrail extends AuditTrail {
  override record(): Promise<void> {
    return Promise.resolve();
  }
}
