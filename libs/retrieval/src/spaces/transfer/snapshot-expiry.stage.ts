import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { type Lease, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { EXPIRE_SNAPSHOT_STAGE, SpaceTransfer } from './space-transfer';

/** Drops the snapshots of exports that ended without doing so. */
@Injectable()
export class SnapshotExpiry {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly transfer: SpaceTransfer,
  ) {}

  @RunsStage(EXPIRE_SNAPSHOT_STAGE)
  async expire(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases)
      await this.database.write(scope, async (tx) => {
        // Before the drop, which withdraws what is planned.
        await this.tasks.completeAndDelete(tx, lease);
        await this.transfer.dropSnapshot(tx, lease.subjectId);
      });
  }
}
