import { Injectable } from '@nestjs/common';
import { type SnapshotTable, type Transaction, Transfer } from '@acervo/platform-database';
import { type Stage, Tasks } from '@acervo/platform-queue';
import { spaceTables } from './tables';

export const EXPIRE_SNAPSHOT_STAGE: Stage = { name: 'expire-snapshot', batch: 4, leaseSeconds: 30, attempts: 20 };
/** An export reads its snapshot within this time. */
const EXPIRES_AFTER_MS = 3_600_000;

/** Spaces of a group, to and from another installation. */
@Injectable()
export class SpaceTransfer extends Transfer {
  constructor(private readonly tasks: Tasks) {
    super('retrieval', spaceTables);
  }

  /** Plans the end of the snapshot too. */
  override async takeSnapshot(tx: Transaction, snapshotId: string): Promise<SnapshotTable[]> {
    const task = { subjectId: snapshotId, stage: EXPIRE_SNAPSHOT_STAGE.name, generation: 1 };
    await this.tasks.enqueue(tx, { ...task, delayMs: EXPIRES_AFTER_MS });
    return super.takeSnapshot(tx, snapshotId);
  }

  override async dropSnapshot(tx: Transaction, snapshotId: string): Promise<void> {
    await super.dropSnapshot(tx, snapshotId);
    await this.tasks.withdraw(tx, snapshotId, EXPIRE_SNAPSHOT_STAGE.name);
  }
}
