import { Injectable } from '@nestjs/common';
import { embeddingIndexLive } from '@acervo/contracts';
import { Embedders } from '@acervo/models';
import type { Transaction } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import { Logger } from '@acervo/platform-observability';
import { Tasks } from '@acervo/platform-queue';
import { RETIRE_STAGE } from '../kernel/stages';
import { EmbeddingIndexStore } from './embedding-index.store';
import { SwitchStore } from './switch.store';

/** A search that began in the old index ends in it: its documents stay for so long. */
const SEARCHES_END_MS = 60_000;

/** Changes the embedding index that a group searches, in one row. */
@Injectable()
export class EmbeddingIndexSwitch {
  constructor(
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly switches: SwitchStore,
    private readonly embedders: Embedders,
    private readonly outbox: Outbox,
    private readonly tasks: Tasks,
    private readonly logger: Logger,
  ) {}

  /** Makes each complete index live, publishes it, and plans the retirement of its predecessor. */
  async flipComplete(tx: Transaction): Promise<void> {
    const { embeddingIndexes, switches, embedders, outbox, tasks, logger } = this;
    for (const next of await embeddingIndexes.building(tx)) {
      const live = await embeddingIndexes.live(tx);
      // An index whose queries this process cannot embed stays in the background until a process can.
      if (live === undefined || embedders.of(next) === undefined) continue;
      if (!(await switches.flip(tx, live, next))) continue;
      const { model, revision, dimension, floor } = next;
      await outbox.append(tx, embeddingIndexLive, { model, revision, dimension, floor });
      const retired = { subjectId: tx.groupId ?? '', stage: RETIRE_STAGE.name, generation: live.indexId };
      await tasks.enqueue(tx, { ...retired, delayMs: SEARCHES_END_MS });
      logger.info({ model, revision, before: live.model }, 'searches use another embedder from now on');
    }
  }
}
