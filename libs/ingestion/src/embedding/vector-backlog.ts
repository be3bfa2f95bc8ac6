import type { Embedders, EmbeddingModel } from '@acervo/models';
import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import type { Tasks } from '@acervo/platform-queue';
import { VECTORS } from '../pipeline/stages';

/** Documents that one transaction looks at. */
const SLICE = 40;
const NOBODY = '00000000-0000-0000-0000-000000000000';

const LACKS = `(vectors_object is null or embedding is null or embedding->>'model' <> $3 or embedding->>'revision' <> $4)`;

/** The vectors that a document was handed over with. */
export interface Vectored {
  readonly vectorsObject: string | null;
  readonly embedding: Pick<EmbeddingModel, 'model' | 'revision'>;
}

/** Which space a group is searched in, and which documents lack vectors of the embedder in use. */
export class VectorBacklog {
  constructor(
    private readonly database: Database,
    private readonly tasks: Tasks,
    private readonly embedders: Embedders,
  ) {}

  /** The space that the group is searched in: of the embedder in use, until retrieval says otherwise. */
  async searched(scope: TenantScope): Promise<EmbeddingModel> {
    const [row] = await this.database.read(scope, (tx) =>
      tx.prepared<EmbeddingModel>(
        `select model, revision, dimension, floor from ingestion.live_space where group_id = $1`,
        [scope.groupId],
      ),
    );
    return row ?? this.embedders.target.space;
  }

  /** Whether what was handed over has no vectors of the embedder in use, and could be given some. */
  lacks({ vectorsObject, embedding }: Vectored): boolean {
    if (!this.embedders.targetRuns) return false;
    const { model, revision } = this.embedders.target.space;
    return vectorsObject === null || embedding.model !== model || embedding.revision !== revision;
  }

  /** Sets the work going for every document that lacks them; answers how many. */
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
    const { model, revision } = this.embedders.target.space;
    const rows = await tx.query<{ documentId: string; generation: number }>(
      `select document_id as "documentId", generation from ingestion.document
       where group_id = $1 and document_id > $2 and ${LACKS}
         and handed_over is not null and status in ('FRAGMENTADO', 'VECTORIZADO')
       order by document_id limit ${SLICE}`,
      [tx.groupId, after, model, revision],
    );
    for (const { documentId: subjectId, generation } of rows)
      await this.tasks.enqueue(tx, { subjectId, stage: VECTORS.name, generation });
    return rows.map(({ documentId }) => documentId);
  }
}
