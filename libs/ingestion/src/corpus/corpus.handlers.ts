import { Injectable } from '@nestjs/common';
import { type CorpusUsage, countCorpus, type Empty } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { CorpusStore } from './corpus.store';

/** Shows how many pages the live documents of a group have. */
@Injectable()
export class CorpusHandlers {
  constructor(
    private readonly database: Database,
    private readonly store: CorpusStore,
  ) {}

  @Handles(countCorpus)
  async count(scope: Scope, _input: Empty): Promise<CorpusUsage> {
    const pages = await this.database.read(scope, (tx) => this.store.pagesByEntity(tx));
    const used = [...pages.values()].reduce((sum, each) => sum + each, 0);
    const byEntity = scope.entities.toSorted().map((entityCode) => ({ entityCode, used: pages.get(entityCode) ?? 0 }));
    return { used, byEntity };
  }
}
