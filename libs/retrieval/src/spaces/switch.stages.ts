import { embeddingSpaceLive } from '@acervo/contracts';
import type { Embedders } from '@acervo/models';
import type { Database, Transaction } from '@acervo/platform-database';
import type { Outbox } from '@acervo/platform-messaging';
import type { Logger } from '@acervo/platform-observability';
import { type Doorbells, type Lease, LeaseKeeper, RunsStage, type Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { FLIP_STAGE, PURGE_STAGE, RETIRE_STAGE } from '../handover/stages';
import type { SpaceStore } from './space.store';
import type { SwitchStore } from './switch.store';

/** Documents that one transaction takes out of a space. */
const SLICE = 16;
/** A search that began in the old space ends in it: its documents are left alone for so long. */
const SEARCHES_END_MS = 60_000;

export interface SwitchParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly doorbells: Pick<Doorbells, 'ring'>;
  readonly outbox: Outbox;
  readonly spaces: SpaceStore;
  readonly switches: SwitchStore;
  readonly embedders: Embedders;
  readonly logger: Logger;
}

/** Changes the space that a group searches, in one row, and clears the old one away. */
export class SwitchStages {
  constructor(private readonly parts: SwitchParts) {}

  /** The work ends first: what is made live from then on asks for another look. */
  @RunsStage(FLIP_STAGE)
  async flip(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { database, tasks } = this.parts;
    for (const lease of leases)
      await database.write(scope, async (tx) => {
        await tasks.complete(tx, lease);
        await this.flipComplete(tx);
      });
  }

  @RunsStage(RETIRE_STAGE)
  async retire(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { database, tasks, doorbells } = this.parts;
    for (const lease of leases) {
      const keeper = new LeaseKeeper(tasks, [lease], RETIRE_STAGE.leaseSeconds);
      while ((await database.write(scope, (tx) => this.leave(tx, lease.generation))) > 0) await keeper.keep(lease);
      await database.write(scope, (tx) => tasks.complete(tx, lease));
    }
    await doorbells.ring(scope.groupId, PURGE_STAGE.name);
  }

  private async flipComplete(tx: Transaction): Promise<void> {
    const { spaces, switches, embedders, outbox, tasks, logger } = this.parts;
    for (const next of await spaces.building(tx)) {
      const live = await spaces.live(tx);
      // A space whose queries nobody here can embed stays in the background until somebody can.
      if (live === undefined || embedders.of(next) === undefined) continue;
      if (!(await switches.flip(tx, live, next))) continue;
      const { model, revision, dimension, floor } = next;
      await outbox.append(tx, embeddingSpaceLive, { model, revision, dimension, floor });
      const retired = { subjectId: tx.groupId ?? '', stage: RETIRE_STAGE.name, generation: live.spaceId };
      await tasks.enqueue(tx, { ...retired, delayMs: SEARCHES_END_MS });
      logger.info({ model, revision, before: live.model }, 'searches use another embedder from now on');
    }
  }

  /** Takes a slice out of a space while it is retired: one that is built anew meanwhile is left as it is. */
  private async leave(tx: Transaction, spaceId: number): Promise<number> {
    const { spaces, switches, tasks } = this.parts;
    if ((await spaces.hold(tx, spaceId)) !== 'RETIRED') return 0;
    const left = await switches.leave(tx, spaceId, SLICE);
    for (const subjectId of left) await tasks.enqueue(tx, { subjectId, stage: PURGE_STAGE.name, generation: 0 });
    return left.length;
  }
}
