import type { Database, Transaction } from '@acervo/platform-database';
import { type Lease, RunsStage, type Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { SpaceStore } from '../spaces/space.store';
import type { ChunkStore } from './chunk.store';
import { PURGE_STAGE } from './stages';

const SLICE = 64;

/** Removes what is live no more: earlier generations, and documents that were withdrawn. */
export class PurgeStage {
  constructor(
    private readonly database: Database,
    private readonly tasks: Tasks,
    private readonly chunks: ChunkStore,
    private readonly spaces: SpaceStore,
  ) {}

  @RunsStage(PURGE_STAGE)
  async purge(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) {
      while ((await this.database.write(scope, (tx) => this.slice(tx, lease))) > 0);
      await this.database.write(scope, (tx) => this.end(tx, lease));
    }
  }

  /**
   * Ends the work first and looks once more: what was asked for since the last slice found this work open and was not
   * written down, so it is done here; what is asked for later waits anew.
   */
  private async end(tx: Transaction, lease: Lease): Promise<void> {
    await this.tasks.complete(tx, lease);
    while ((await this.slice(tx, lease)) > 0);
  }

  private async slice(tx: Transaction, { subjectId }: Lease): Promise<number> {
    return this.chunks.purge(tx, subjectId, await this.spaces.dimensions(tx), SLICE);
  }
}
