import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { WorkSignals, type Lease, LeaseKeeper, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { FLIP_STAGE, PURGE_STAGE, RETIRE_STAGE } from '../kernel/stages';
import { EmbeddingIndexSwitch } from './embedding-index-switch';
import { EmbeddingIndexStore } from './embedding-index.store';
import { SwitchStore } from './switch.store';

/** Documents that one transaction removes from an embedding index. */
const SLICE = 16;

/** Switches a group from one embedding index to another, and clears the old one. */
@Injectable()
export class SwitchStages {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly switches: SwitchStore,
    private readonly indexSwitch: EmbeddingIndexSwitch,
  ) {}

  /** The task ends first: a document that becomes live later enqueues another flip. */
  @RunsStage(FLIP_STAGE)
  async flip(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { database, tasks, indexSwitch } = this;
    for (const lease of leases)
      await database.write(scope, async (tx) => {
        await tasks.completeAndDelete(tx, lease);
        await indexSwitch.flipComplete(tx);
      });
  }

  @RunsStage(RETIRE_STAGE)
  async retire(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { database, tasks, workSignals } = this;
    for (const lease of leases) {
      const keeper = new LeaseKeeper(tasks, [lease], RETIRE_STAGE.leaseSeconds);
      while ((await database.write(scope, (tx) => this.leave(tx, lease.generation))) > 0) await keeper.keep(lease);
      await database.write(scope, (tx) => tasks.completeAndDelete(tx, lease));
    }
    await workSignals.notify(scope.groupId, PURGE_STAGE.name);
  }

  /** Removes a slice from an embedding index while it is retired; one that is built again meanwhile stays as it is. */
  private async leave(tx: Transaction, indexId: number): Promise<number> {
    const { embeddingIndexes, switches, tasks } = this;
    if ((await embeddingIndexes.lockState(tx, indexId)) !== 'RETIRED') return 0;
    const left = await switches.leave(tx, indexId, SLICE);
    for (const subjectId of left) await tasks.enqueue(tx, { subjectId, stage: PURGE_STAGE.name, generation: 0 });
    return left.length;
  }
}
