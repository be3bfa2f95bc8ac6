import { Injectable } from '@nestjs/common';
import { Embedders, type EmbeddingModel } from '@acervo/models';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import type { Vectored } from '../document-state/document-events';
import { VECTORS } from '../kernel/stages';

/** Documents that one transaction checks. */
const SLICE = 40;
const NOBODY = '00000000-0000-0000-0000-000000000000';

const LACKS = `(vectors_object is null or embedding is null or embedding->>'model' <> $3 or embedding->>'revision' <> $4)`;

/** Which embedding index a group is searched in, and which documents lack vectors of the embedder in use. */
@Injectable()
export class VectorBacklog {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly embedders: Embedders,
  ) {}

  /**
   * The embedding index that searches of the group use. Until retrieval names one, it is that of the embedder in use.
   */
  searched(scope: TenantScope): Promise<EmbeddingModel> {
    return this.database.read(scope, (tx) => this.searchedNow(tx));
  }

  /** The same within a transaction. */
  async searchedNow(tx: Transaction): Promise<EmbeddingModel> {
    const [row] = await tx.prepared<EmbeddingModel>(
      `select model, revision, dimension, floor from ingestion.live_space where group_id = $1`,
      [tx.groupId],
    );
    return row ?? this.embedders.target.embeddingModel;
  }

  /** Whether a hand-over lacks vectors of the embedder in use, and the embedder is available. */
  lacks({ vectorsObject, embedding }: Vectored): boolean {
    if (!this.embedders.targetRuns) return false;
    const { model, revision } = this.embedders.target.embeddingModel;
    return vectorsObject === null || embedding.model !== model || embedding.revision !== revision;
  }

  /** Enqueues a task for every document that lacks them; answers how many. */
  async enqueueAll(scope: TenantScope): Promise<number> {
    if (!this.embedders.targetRuns) return 0;
    let total = 0;
    for (let after = NOBODY; ;) {
      const found = await this.database.write(scope, (tx) => this.enqueueSlice(tx, after));
      total += found.length;
      const last = found.at(-1);
      if (last === undefined) return total;
      after = last;
    }
  }

  private async enqueueSlice(tx: Transaction, after: string): Promise<readonly string[]> {
    const { model, revision } = this.embedders.target.embeddingModel;
    const rows = await tx.query<{ documentId: string; generation: number }>(
      `select document_id as "documentId", generation from ingestion.document
       where group_id = $1 and document_id > $2 and ${LACKS}
         and handed_over is not null and status in ('FRAGMENTADO', 'VECTORIZADO')
       order by document_id limit ${SLICE}`,
      [tx.groupId, after, model, revision],
    );
    await this.tasks.enqueueAll(
      tx,
      rows.map(({ documentId: subjectId, generation }) => ({ subjectId, stage: VECTORS.name, generation })),
    );
    return rows.map(({ documentId }) => documentId);
  }
}
