import type { EmbeddingModelKey } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { Released } from '../documents/discards';
import { EMBED_VERSION } from '../pipeline/settings';

/** The last whole set of vectors that a document had before it changed. */
export interface EarlierVectors {
  readonly chunksObject: string;
  readonly vectorsObject: string;
  readonly embedding: EmbeddingModelKey;
  /** Of the step that made them: another one may embed other texts of the same passages. */
  readonly version: number;
}

/** Joins the earlier vectors of documents `d`, as a column. */
export const EARLIER = {
  column: `case when e.document_id is not null then jsonb_build_object('chunksObject', e.chunks_object,
    'vectorsObject', e.vectors_object, 'embedding', e.embedding, 'version', e.version) end as earlier`,
  join: `left join ingestion.earlier_vectors e on e.group_id = d.group_id and e.document_id = d.document_id`,
} as const;

/** Whether they may stand for vectors that are made now. */
export const areOf = (earlier: EarlierVectors, space: Omit<EmbeddingModelKey, 'floor'>): boolean =>
  earlier.version === EMBED_VERSION &&
  earlier.embedding.model === space.model &&
  earlier.embedding.revision === space.revision &&
  earlier.embedding.dimension === space.dimension;

const COLUMNS = `content_hash, chunks_object, vectors_object, embedding, version`;
const gone = (row: string): string =>
  `${row}.content_hash as "contentHash", array[${row}.chunks_object, ${row}.vectors_object] as objects`;

/**
 * Remembers what documents had been embedded to when they change, until their new content is: passages that are as
 * they were keep their vectors. Never of another document, let alone of another group.
 */
export class EarlierVectorsStore {
  /** Before documents change; answers what nobody remembers any more. */
  async keep(tx: Transaction, documentIds: readonly string[]): Promise<Released[]> {
    if (documentIds.length === 0) return [];
    return tx.query<Released>(
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
  }

  /** Forgets them; with a space, those of that space alone. Answers what nobody remembers any more. */
  forget(
    tx: Transaction,
    documentIds: readonly string[],
    space: Omit<EmbeddingModelKey, 'floor'> | null = null,
  ): Promise<Released[]> {
    const only = space === null ? null : [space.model, space.revision, String(space.dimension)];
    return tx.query<Released>(
      `delete from ingestion.earlier_vectors e where group_id = $1 and document_id = any($2::uuid[])
         and ($3::text[] is null or array[embedding->>'model', embedding->>'revision', embedding->>'dimension'] = $3)
       returning ${gone('e')}`,
      [tx.groupId, documentIds, only],
    );
  }
}
