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
import { On, onePerKey } from '@acervo/platform-messaging';
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
  @On(documentIndexed, { atOnce: 64 })
  async indexed(_scope: WorkScope, tx: Transaction, facts: readonly DocumentIndexed[]): Promise<void> {
    for (const part of onePerKey(facts, ({ documentId }) => documentId)) await this.record(tx, part);
  }

  private async record(tx: Transaction, facts: readonly DocumentIndexed[]): Promise<void> {
    const documents = await tx.prepared<{ seconds: number | null }>(
      `update ingestion.document d set status = case when a.has_vectors then 'VECTORIZADO' else 'FRAGMENTADO' end,
         reason = null, retry_on_scan = false, indexed_chunks = a.chunks, indexed_generation = a.generation,
         updated_at = now()
       from unnest($2::uuid[], $3::int[], $4::int[], $5::int[], $6::boolean[])
         as a (document_id, generation, revision, chunks, has_vectors)
       where d.group_id = $1 and d.document_id = a.document_id and d.generation = a.generation
         and d.handed_over <= a.revision and d.status in ('FRAGMENTADO', 'ERROR')
       returning ${SECONDS_UNTIL_SEARCHABLE} as seconds`,
      [
        tx.groupId,
        facts.map(({ documentId }) => documentId),
        facts.map(({ generation }) => generation),
        facts.map(({ revision }) => revision),
        facts.map(({ chunkCount }) => chunkCount),
        facts.map(({ hasVectors }) => hasVectors),
      ],
    );
    for (const { seconds } of documents) if (seconds !== null) this.searchable.observe(Math.max(0, seconds));
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
