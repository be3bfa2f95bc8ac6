import type { Database } from '@acervo/platform-database';
import { type Lease, RunsStage, type Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { ChunkCopies } from '../copies/chunk-copies';
import type { SpaceStore } from '../spaces/space.store';
import type { ChunkStore } from './chunk.store';
import { PURGE_STAGE } from './stages';

const SLICE = 64;

export interface PurgeParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly chunks: ChunkStore;
  readonly copies: ChunkCopies;
  readonly spaces: SpaceStore;
}

/** Something was asked for while the work ended: it goes on. */
class NotYet extends Error {}

/** Removes what is live no more: earlier generations, and documents that were withdrawn. */
export class PurgeStage {
  constructor(private readonly parts: PurgeParts) {}

  @RunsStage(PURGE_STAGE)
  async purge(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases)
      do {
        await this.bury(scope, lease);
        while ((await this.slice(scope, lease)) > 0);
      } while (!(await this.end(scope, lease)));
  }

  /** Copies go first: once the chunks are gone, nobody knows which there were. */
  private async bury(scope: WorkScope, { subjectId }: Lease): Promise<void> {
    const { database, chunks, copies } = this.parts;
    if (copies.kept) await copies.bury(scope, await database.read(scope, (tx) => chunks.vanishing(tx, subjectId)));
  }

  private slice(scope: WorkScope, { subjectId }: Lease): Promise<number> {
    const { database, chunks, spaces } = this.parts;
    return database.write(scope, async (tx) => chunks.purge(tx, subjectId, await spaces.dimensions(tx), SLICE));
  }

  /**
   * Ends the work first and looks once more: what was asked for since the last slice found this work open and was not
   * written down, so it goes on with it; what is asked for later waits anew.
   */
  private end(scope: WorkScope, lease: Lease): Promise<boolean> {
    const { database, tasks, chunks, spaces } = this.parts;
    const ended = database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      if ((await chunks.purge(tx, lease.subjectId, await spaces.dimensions(tx), 1)) > 0) throw new NotYet();
    });
    return ended.then(
      () => true,
      (error: unknown) => {
        if (error instanceof NotYet) return false;
        throw error;
      },
    );
  }
}
