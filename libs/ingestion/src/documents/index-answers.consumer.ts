import { Injectable } from '@nestjs/common';
import {
  documentIndexed,
  type DocumentIndexed,
  documentIndexingFailed,
  type DocumentIndexingFailed,
  embeddingIndexLive,
  type EmbeddingIndexLive,
} from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';

/** Matches the generation that was handed over last, unless it was withdrawn meanwhile. */
const ANSWERED = `group_id = $1 and document_id = $2 and generation = $3 and handed_over <= $4`;

/** Records the answers of retrieval to hand-overs. */
@Injectable()
export class IndexAnswersConsumer {
  @On(documentIndexed)
  async indexed(_scope: WorkScope, tx: Transaction, fact: DocumentIndexed): Promise<void> {
    await tx.prepared(
      `update ingestion.document set status = 'VECTORIZADO', reason = null, retry_on_scan = false,
         indexed_chunks = $5, updated_at = now()
       where ${ANSWERED} and status in ('FRAGMENTADO', 'ERROR')`,
      [tx.groupId, fact.documentId, fact.generation, fact.revision, fact.chunkCount],
    );
  }

  @On(documentIndexingFailed)
  async failed(_scope: WorkScope, tx: Transaction, fact: DocumentIndexingFailed): Promise<void> {
    await tx.query(
      `update ingestion.document set status = 'ERROR', reason = $5, retry_on_scan = $6, failed_at = now(),
         updated_at = now()
       where ${ANSWERED} and status = 'FRAGMENTADO'`,
      [tx.groupId, fact.documentId, fact.generation, fact.revision, fact.reason, !fact.isFinal],
    );
    // Indexed content stays searchable. Rejected vectors are made and handed over again at the next start.
    await tx.query(
      `update ingestion.document set embedding = null
       where group_id = $1 and document_id = $2 and generation = $3 and status = 'VECTORIZADO'`,
      [tx.groupId, fact.documentId, fact.generation],
    );
  }

  @On(embeddingIndexLive)
  async searched(_scope: WorkScope, tx: Transaction, fact: EmbeddingIndexLive): Promise<void> {
    const { model, revision, dimension, floor } = fact;
    await tx.query(
      `insert into ingestion.live_space (group_id, model, revision, dimension, floor) values ($1, $2, $3, $4, $5)
       on conflict (group_id) do update set model = excluded.model, revision = excluded.revision,
         dimension = excluded.dimension, floor = excluded.floor`,
      [tx.groupId, model, revision, dimension, floor],
    );
  }
}
