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
import { Metrics } from '@acervo/platform-observability';
import type { WorkScope } from '@acervo/rbac';
import { SEARCHABLE } from '../ingestion.metrics';

/** Matches the generation that was handed over last, unless it was withdrawn meanwhile. */
const ANSWERED = `group_id = $1 and document_id = $2 and generation = $3 and handed_over <= $4`;

/**
 * Seconds since the scan found the document, or brought it back; null for one that was searchable before, such as at a
 * rebuild.
 */
const SECONDS_UNTIL_SEARCHABLE = `case when old.indexed_chunks is null then
  extract(epoch from clock_timestamp() - greatest(new.content_at,
    (select coalesce(r.started_at, r.created_at) from ingestion.run r
     where r.group_id = $1 and r.run = new.run)))::float8 end`;

/** Records the answers of retrieval to hand-overs. */
@Injectable()
export class IndexAnswersConsumer {
  private readonly searchable;

  constructor(metrics: Metrics) {
    this.searchable = metrics.seconds(SEARCHABLE);
  }

  /** A document whose vectors are still to come is found by its words, and keeps its state. */
  @On(documentIndexed)
  async indexed(_scope: WorkScope, tx: Transaction, fact: DocumentIndexed): Promise<void> {
    const [document] = await tx.prepared<{ seconds: number | null }>(
      `update ingestion.document set status = case when $6 then 'VECTORIZADO' else 'FRAGMENTADO' end, reason = null,
         retry_on_scan = false, indexed_chunks = $5, indexed_generation = $3, updated_at = now()
       where ${ANSWERED} and status in ('FRAGMENTADO', 'ERROR')
       returning ${SECONDS_UNTIL_SEARCHABLE} as seconds`,
      [tx.groupId, fact.documentId, fact.generation, fact.revision, fact.chunkCount, fact.hasVectors],
    );
    if (typeof document?.seconds === 'number') this.searchable.observe(Math.max(0, document.seconds));
  }

  @On(documentIndexingFailed)
  async failed(_scope: WorkScope, tx: Transaction, fact: DocumentIndexingFailed): Promise<void> {
    await tx.query(
      `update ingestion.document set status = 'ERROR', reason = $5, retry_on_scan = $6, failed_at = now(),
         updated_at = now()
       where ${ANSWERED} and status = 'FRAGMENTADO' and indexed_generation is distinct from generation`,
      [tx.groupId, fact.documentId, fact.generation, fact.revision, fact.reason, !fact.isFinal],
    );
    // Indexed content stays searchable. Rejected vectors are made and handed over again at the next start.
    await tx.query(
      `update ingestion.document set embedding = null
       where group_id = $1 and document_id = $2 and generation = $3 and (status = 'VECTORIZADO'
         or status = 'FRAGMENTADO' and indexed_generation = generation)`,
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
