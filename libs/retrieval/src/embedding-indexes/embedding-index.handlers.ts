import { Injectable } from '@nestjs/common';
import { aimEmbeddings, type EmbeddingState, embeddingState, type Empty } from '@acervo/contracts';
import { Embedders, isSameModel } from '@acervo/models';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { FLIP_STAGE, RETIRE_STAGE } from '../kernel/stages';
import { EmbeddingIndexStore } from './embedding-index.store';
import { SwitchStore } from './switch.store';

/** Reads and changes the embedding indexes of a group for the operator of an installation. */
@Injectable()
export class EmbeddingIndexHandlers {
  constructor(
    private readonly database: Database,
    private readonly tasks: Tasks,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly switches: SwitchStore,
    private readonly embedders: Embedders,
  ) {}

  @Handles(embeddingState)
  state(scope: WorkScope, _input: Empty): Promise<EmbeddingState> {
    return this.database.read(scope, (tx) => this.stateIn(tx));
  }

  @Handles(aimEmbeddings)
  aim(_scope: WorkScope, _input: Empty, context: WriteContext): Promise<EmbeddingState> {
    const { embeddingIndexes, switches, tasks, embedders } = this;
    return context.write(async (tx) => {
      for (const embeddingIndex of await embeddingIndexes.building(tx)) {
        const wanted = isSameModel(embeddingIndex, embedders.target.embeddingModel);
        if (!wanted) await switches.giveUp(tx, embeddingIndex);
        const stage = wanted ? FLIP_STAGE : RETIRE_STAGE;
        await tasks.enqueue(tx, { subjectId: tx.groupId ?? '', stage: stage.name, generation: embeddingIndex.indexId });
      }
      return this.stateIn(tx);
    });
  }

  private async stateIn(tx: Transaction): Promise<EmbeddingState> {
    const { embeddingIndexes, switches, embedders } = this;
    const live = await embeddingIndexes.live(tx);
    if (live === undefined) return { live: [], settled: true, documents: 0, built: 0 };
    const { model, revision, dimension, floor } = live;
    const settled = isSameModel(live, embedders.target.embeddingModel);
    const next = (await embeddingIndexes.building(tx)).find((embeddingIndex) =>
      isSameModel(embeddingIndex, embedders.target.embeddingModel),
    );
    const coverage = await switches.coverage(tx, live, settled ? live.indexId : (next?.indexId ?? null));
    return { live: [{ model, revision, dimension, floor }], settled, ...coverage };
  }
}
