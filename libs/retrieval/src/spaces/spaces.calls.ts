import { aimEmbeddings, type EmbeddingState, embeddingState, type Empty } from '@acervo/contracts';
import { type Embedders, sameSpace } from '@acervo/models';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Database, Transaction } from '@acervo/platform-database';
import type { Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { FLIP_STAGE, RETIRE_STAGE } from '../handover/stages';
import type { SpaceStore } from './space.store';
import type { SwitchStore } from './switch.store';

export interface SpacesParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly spaces: SpaceStore;
  readonly switches: SwitchStore;
  readonly embedders: Embedders;
}

/** What the operator of an installation asks and says about its vector spaces. */
export class SpacesCalls {
  constructor(private readonly parts: SpacesParts) {}

  @Handles(embeddingState)
  state(scope: WorkScope, _input: Empty): Promise<EmbeddingState> {
    return this.parts.database.read(scope, (tx) => this.stateIn(tx));
  }

  @Handles(aimEmbeddings)
  aim(_scope: WorkScope, _input: Empty, context: WriteContext): Promise<EmbeddingState> {
    const { spaces, switches, tasks, embedders } = this.parts;
    return context.write(async (tx) => {
      for (const space of await spaces.building(tx)) {
        const wanted = sameSpace(space, embedders.target.space);
        if (!wanted) await switches.giveUp(tx, space);
        const stage = wanted ? FLIP_STAGE : RETIRE_STAGE;
        await tasks.enqueue(tx, { subjectId: tx.groupId ?? '', stage: stage.name, generation: space.spaceId });
      }
      return this.stateIn(tx);
    });
  }

  private async stateIn(tx: Transaction): Promise<EmbeddingState> {
    const { spaces, switches, embedders } = this.parts;
    const live = await spaces.live(tx);
    if (live === undefined) return { live: [], settled: true, documents: 0, built: 0 };
    const { model, revision, dimension, floor } = live;
    const settled = sameSpace(live, embedders.target.space);
    const next = (await spaces.building(tx)).find((space) => sameSpace(space, embedders.target.space));
    const coverage = await switches.coverage(tx, live, settled ? live.spaceId : (next?.spaceId ?? null));
    return { live: [{ model, revision, dimension, floor }], settled, ...coverage };
  }
}
