import { type EmbeddingBuild, buildEmbeddings, type Empty } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Doorbells } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { VECTORS } from '../pipeline/stages';
import type { VectorBacklog } from './vector-backlog';

export class EmbeddingCalls {
  constructor(
    private readonly vectors: VectorBacklog,
    private readonly doorbells: Pick<Doorbells, 'ring'>,
  ) {}

  /** The work is written in short transactions as it is found; the transaction of the call records that it was. */
  @Handles(buildEmbeddings)
  async build(scope: WorkScope, _input: Empty, context: WriteContext): Promise<EmbeddingBuild> {
    const documents = await this.vectors.enqueueAll(scope);
    await this.doorbells.ring(scope.groupId, VECTORS.name);
    return context.write(() => Promise.resolve({ documents }));
  }
}
