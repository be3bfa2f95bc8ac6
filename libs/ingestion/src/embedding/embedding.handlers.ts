import { Injectable } from '@nestjs/common';
import { type EmbeddingBuild, buildEmbeddings, type Empty } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { WorkSignals } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { VECTORS } from '../kernel/stages';
import { VectorBacklog } from './vector-backlog';

@Injectable()
export class EmbeddingHandlers {
  constructor(
    private readonly vectors: VectorBacklog,
    private readonly workSignals: WorkSignals,
  ) {}

  /** Enqueues tasks in short transactions; the transaction of the call records their number. */
  @Handles(buildEmbeddings)
  async build(scope: WorkScope, _input: Empty, context: WriteContext): Promise<EmbeddingBuild> {
    const documents = await this.vectors.enqueueAll(scope);
    await this.workSignals.notify(scope.groupId, VECTORS.name);
    return context.write(() => Promise.resolve({ documents }));
  }
}
