import { Injectable } from '@nestjs/common';
import { type CorpusUsage, countCorpus, type Empty } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { CorpusStore } from './corpus.store';

/** Shows how many pages the documents of a group have, and the limit that they meet. */
@Injectable()
export class CorpusHandlers {
  constructor(
    private readonly database: Database,
    private readonly store: CorpusStore,
  ) {}

  @Handles(countCorpus)
  async count(scope: Scope, _input: Empty): Promise<CorpusUsage> {
    const corpus = await this.database.read(scope, (tx) => this.store.find(tx));
    const byEntity = scope.entities
      .toSorted()
      .map((entityCode) => ({ entityCode, used: corpus?.byEntity.get(entityCode) ?? 0 }));
    if (corpus === undefined) return { used: 0, byEntity };
    const { used, included, onLimit, isLimitKnown } = corpus;
    return { used, byEntity, ...(isLimitKnown ? { limit: { included, onLimit } } : {}) };
  }
}
