import { Injectable } from '@nestjs/common';
import { documentEmbedded, DocumentEmbedded, encode, Text } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import { Tasks, URGENT } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { INDEX_STAGE, VECTORS_STAGE } from './stages';

/** The field of a hand-over that its vectors fill. */
class LaterVectors {
  @Text({ max: 512, description: 'Object that holds the vectors' }) readonly vectorsObject!: string;
}

/** Plans the load of vectors that follow a hand-over. */
@Injectable()
export class VectorsConsumer {
  constructor(private readonly tasks: Tasks) {}

  /** Vectors that come before their words were loaded are loaded with them. */
  @On(documentEmbedded)
  async plan(_scope: WorkScope, tx: Transaction, fact: DocumentEmbedded): Promise<void> {
    const { documentId: subjectId, generation } = fact;
    const words = { subjectId, stage: INDEX_STAGE.name, generation };
    if (await this.tasks.supplement(tx, words, encode(LaterVectors, fact))) return;
    const payload = encode(DocumentEmbedded, fact);
    const priority = fact.urgent === true ? URGENT : 0;
    await this.tasks.enqueue(tx, { subjectId, stage: VECTORS_STAGE.name, generation, payload, priority });
  }
}
