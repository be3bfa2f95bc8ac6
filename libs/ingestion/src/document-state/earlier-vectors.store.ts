import { Injectable } from '@nestjs/common';
import type { EmbeddingModelKey } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { ObjectGarbageCollector, type Released } from './object-garbage-collector';
import { EMBED_VERSION } from '../reading/pipeline-settings';

/** The last complete vectors of a document before it changed. */
export interface EarlierVectors {
  readonly chunksObject: string;
  readonly vectorsObject: string;
  readonly embedding: EmbeddingModelKey;
  /** Of the step that made them: another version may embed other texts of the same passages. */
  readonly version: number;
}

/** Joins the earlier vectors of documents `d`, as a column. */
export const EARLIER = {
  column: `case when e.document_id is not null then jsonb_build_object('chunksObject', e.chunks_object,
    'vectorsObject', e.vectors_object, 'embedding', e.embedding, 'version', e.version) end as earlier`,
  join: `left join ingestion.earlier_vectors e on e.group_id = d.group_id and e.document_id = d.document_id`,
} as const;

/** Whether earlier vectors are comparable with vectors that are made now. */
export const areOf = (earlier: EarlierVectors, embeddingModel: Omit<EmbeddingModelKey, 'floor'>): boolean =>
  earlier.version === EMBED_VERSION &&
  earlier.embedding.model === embeddingModel.model &&
  earlier.embedding.revision === embeddingModel.revision &&
  earlier.embedding.dimension === embeddingModel.dimension;

const COLUMNS = `content_hash, chunks_object, vectors_object, embedding, version`;
const gone = (row: string): string =>
  `${row}.content_hash as "contentHash", array[${row}.chunks_object, ${row}.vectors_object] as objects`;

/**
 * Remembers the vectors of changed documents until their new content is embedded: unchanged passages keep their
 * vectors. Vectors of another document or another group are never used.
 */
@Injectable()
export class EarlierVectorsStore {
  constructor(private readonly garbageCollector: ObjectGarbageCollector) {}

  /** Called before documents change. Releases objects that no row names any longer. */
  async keep(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0) return;
    const replaced = await tx.query<Released>(
      `insert into ingestion.earlier_vectors as e (group_id, document_id, ${COLUMNS})
       select group_id, document_id, content_hash, chunks_object, vectors_object, embedding, coalesce(vectors_version, 1)
       from ingestion.document where group_id = $1 and document_id = any($2::uuid[]) and content_hash is not null
         and chunks_object is not null and vectors_object is not null and embedding is not null
       on conflict (group_id, document_id) do update set content_hash = excluded.content_hash,
         chunks_object = excluded.chunks_object, vectors_object = excluded.vectors_object,
         embedding = excluded.embedding, version = excluded.version
       returning ${gone('old')}`,
      [tx.groupId, documentIds],
    );
    await this.garbageCollector.replaceAll(tx, replaced);
  }

  /**
   * Deletes earlier vectors; with an embedding index, those of that index only. Releases objects that no row names any
   * longer.
   */
  async forget(
    tx: Transaction,
    documentIds: readonly string[],
    embeddingModel: Omit<EmbeddingModelKey, 'floor'> | null = null,
  ): Promise<void> {
    const only =
      embeddingModel === null
        ? null
        : [embeddingModel.model, embeddingModel.revision, String(embeddingModel.dimension)];
    const forgotten = await tx.query<Released>(
      `delete from ingestion.earlier_vectors e where group_id = $1 and document_id = any($2::uuid[])
         and ($3::text[] is null or array[embedding->>'model', embedding->>'revision', embedding->>'dimension'] = $3)
       returning ${gone('e')}`,
      [tx.groupId, documentIds, only],
    );
    await this.garbageCollector.replaceAll(tx, forgotten);
  }
}
