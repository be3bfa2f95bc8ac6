import { Injectable } from '@nestjs/common';
import { documentEmbedded, DocumentEmbedded, encode, Text } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On, onePerKey, originOf } from '@acervo/platform-messaging';
import { Tasks, URGENT } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { INDEX_STAGE, VECTORS_STAGE } from '../kernel/stages';

/** The field of a hand-over that its vectors fill. */
class LaterVectors {
  @Text({ max: 512, description: 'Object that holds the vectors' }) readonly vectorsObject!: string;
}

/** Plans the load of vectors that follow a hand-over. */
@Injectable()
export class VectorsConsumer {
  constructor(private readonly tasks: Tasks) {}

  /** Vectors that come before their words were loaded are loaded with them. */
  @On(documentEmbedded, { atOnce: 64 })
  async plan(_scope: WorkScope, tx: Transaction, facts: readonly DocumentEmbedded[]): Promise<void> {
    for (const part of onePerKey(facts, ({ documentId, generation }) => `${documentId} ${generation}`))
      await this.planPart(tx, part);
  }

  private async planPart(tx: Transaction, facts: readonly DocumentEmbedded[]): Promise<void> {
    const { tasks } = this;
    const words = facts.map((fact) => ({
      ...{ subjectId: fact.documentId, stage: INDEX_STAGE.name, generation: fact.generation },
      ...{ fields: encode(LaterVectors, fact), fact },
    }));
    const supplemented = await tasks.supplementAll(tx, words);
    const later = words.filter((each) => !supplemented.has(each));
    await tasks.enqueueAll(
      tx,
      later.map(({ subjectId, generation, fact }) => ({
        ...{ subjectId, stage: VECTORS_STAGE.name, generation, payload: encode(DocumentEmbedded, fact) },
        ...{ priority: fact.urgent === true ? URGENT : 0, trace: originOf(fact).trace },
      })),
    );
  }
}
