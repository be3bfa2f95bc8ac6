import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { type Lease, RunsStage, type Stage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { SpaceTransfer } from './space-transfer';

const EXPIRE_SNAPSHOT_STAGE: Stage = { name: 'expire-snapshot', batch: 4, leaseSeconds: 30, attempts: 20 };
/** An export reads its snapshot within this time. */
const EXPIRES_AFTER_MS = 3_600_000;

/** Drops the snapshots of exports that ended without doing so. */
@Injectable()
export class SnapshotExpiry {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly transfer: SpaceTransfer,
  ) {}

  /** Plans the end of a snapshot in the transaction that takes it. */
  plan(tx: Transaction, snapshotId: string): Promise<void> {
    const task = { subjectId: snapshotId, stage: EXPIRE_SNAPSHOT_STAGE.name, generation: 1 };
    return this.tasks.enqueue(tx, { ...task, delayMs: EXPIRES_AFTER_MS });
  }

  /** Drops a snapshot that its export has read. */
  async drop(tx: Transaction, snapshotId: string): Promise<void> {
    await this.transfer.dropSnapshot(tx, snapshotId);
    await this.tasks.withdraw(tx, snapshotId, EXPIRE_SNAPSHOT_STAGE.name);
  }

  @RunsStage(EXPIRE_SNAPSHOT_STAGE)
  async expire(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases)
      await this.database.write(scope, async (tx) => {
        await this.transfer.dropSnapshot(tx, lease.subjectId);
        await this.tasks.completeAndDelete(tx, lease);
      });
  }
}
