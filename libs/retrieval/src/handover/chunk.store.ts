import { Injectable } from '@nestjs/common';
import type { PreparedChunk } from '@acervo/contracts';
import { type Transaction, vectorToSql } from '@acervo/platform-database';
import type { VanishingChunk } from '../copies/chunk-copies';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { loadingStages, work } from './work-sql';

/** One chunk with its terms and its vector, ready for both legs. */
export interface LoadedChunk extends PreparedChunk {
  readonly terms: string;
  /** Null while the vector is pending: the lexical leg finds the chunk already. */
  readonly vector: Float32Array | null;
}

/** The vector of a chunk. */
export interface LoadedVector {
  readonly ordinal: number;
  readonly vector: Float32Array;
}

/** A generation of a document in an embedding index: the key of chunks and vectors. */
export interface Generation {
  readonly documentId: string;
  readonly generation: number;
  readonly embeddingIndex: LiveEmbeddingIndex;
}

/** What was loaded of a generation. */
export interface LoadedContent {
  readonly chunkCount: number;
  readonly hasVectors: boolean;
  /** Whether everything that was loaded before was replaced. */
  readonly anew: boolean;
}

/** Rows without a live row and without a load in progress. */
const doomed = (alias: string): string => `not exists (
  select from retrieval.live l where l.group_id = ${alias}.group_id and l.document_id = ${alias}.document_id
    and l.space_id = ${alias}.space_id and l.generation = ${alias}.generation)
  and not ${work.hasOpen({
    ...({ group: `${alias}.group_id`, subject: `${alias}.document_id` } as const),
    ...({ stages: loadingStages, generation: `${alias}.generation` } as const),
  })}`;

const LIVE_GENERATION = `from retrieval.live where group_id = $1 and document_id = $2 and space_id = $3 and generation = $4`;

const KEY = 'bucket, group_id, space_id, document_id, generation';

@Injectable()
export class ChunkStore {
  /** Writes chunks of a generation into both legs; existing chunks stay as they are. */
  async load(
    tx: Transaction,
    { documentId, generation, embeddingIndex }: Generation,
    chunks: readonly LoadedChunk[],
  ): Promise<void> {
    const key = [embeddingIndex.bucket, tx.groupId, embeddingIndex.indexId, documentId, generation];
    const column = <T>(pick: (chunk: LoadedChunk) => T): T[] => chunks.map(pick);
    await tx.prepared(
      `insert into retrieval.chunk (${KEY}, ordinal, page, start_at, end_at, text, context, language, terms)
       select $1, $2, $3, $4, $5, ordinal, page, start_at, end_at, text, context, language, terms
       from unnest($6::int[], $7::int[], $8::int[], $9::int[], $10::text[], $11::text[], $12::text[], $13::text[])
         as given (ordinal, page, start_at, end_at, text, context, language, terms)
       on conflict do nothing`,
      [
        ...key,
        column(({ ordinal }) => ordinal),
        column(({ page }) => page),
        column(({ start }) => start),
        column(({ end }) => end),
        column(({ text }) => text),
        column(({ context }) => context),
        column(({ language }) => language),
        column(({ terms }) => terms),
      ],
    );
    const embedded = chunks.flatMap(({ ordinal, vector }) => (vector === null ? [] : [{ ordinal, vector }]));
    await this.insertVectors(tx, embeddingIndex.dimension, key, embedded);
  }

  /** Writes vectors of chunks that are loaded already; existing vectors stay as they are. */
  async loadVectors(
    tx: Transaction,
    { documentId, generation, embeddingIndex }: Generation,
    vectors: readonly LoadedVector[],
  ): Promise<void> {
    const key = [embeddingIndex.bucket, tx.groupId, embeddingIndex.indexId, documentId, generation];
    await this.insertVectors(tx, embeddingIndex.dimension, key, vectors);
  }

  /** Whether a generation is live. */
  async isLive(tx: Transaction, { documentId, generation, embeddingIndex }: Generation): Promise<boolean> {
    const key = [tx.groupId, documentId, embeddingIndex.indexId, generation];
    return (await tx.prepared(`select ${LIVE_GENERATION}`, key)).length > 0;
  }

  /** The same; the generation stays live until the end of the transaction. */
  async lockLive(tx: Transaction, { documentId, generation, embeddingIndex }: Generation): Promise<boolean> {
    const key = [tx.groupId, documentId, embeddingIndex.indexId, generation];
    return (await tx.prepared(`select ${LIVE_GENERATION} for no key update`, key)).length > 0;
  }

  /** Marks the vectors of a live generation as loaded. */
  async completeVectors(tx: Transaction, { documentId, generation, embeddingIndex }: Generation): Promise<void> {
    await tx.prepared(
      `update retrieval.live set has_vectors = true
       where group_id = $1 and document_id = $2 and space_id = $3 and generation = $4`,
      [tx.groupId, documentId, embeddingIndex.indexId, generation],
    );
  }

  /** Removes the chunks of a generation from one ordinal to before another one, or to the end, from both legs. */
  async clear(
    tx: Transaction,
    { documentId, generation, embeddingIndex }: Generation,
    from: number,
    before: number | null,
  ): Promise<void> {
    for (const table of ['chunk', `vector_${embeddingIndex.dimension}`])
      await tx.query(
        `delete from retrieval.${table} where bucket = $1 and group_id = $2 and space_id = $3 and document_id = $4
           and generation = $5 and ordinal >= $6 and ($7::int is null or ordinal < $7)`,
        [embeddingIndex.bucket, tx.groupId, embeddingIndex.indexId, documentId, generation, from, before],
      );
  }

  /**
   * Makes a generation live, unless a newer one is. Vectors that were loaded before stay, unless all is loaded `anew`.
   * Returns whether the vectors of the live generation are loaded; undefined where a newer one is live.
   */
  async makeLive(
    tx: Transaction,
    { documentId, generation, embeddingIndex }: Generation,
    { chunkCount, hasVectors, anew }: LoadedContent,
  ): Promise<boolean | undefined> {
    const [row] = await tx.prepared<{ hasVectors: boolean }>(
      `insert into retrieval.live as l (group_id, document_id, space_id, generation, bucket, chunk_count, has_vectors)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (group_id, document_id, space_id) do update
         set generation = excluded.generation, bucket = excluded.bucket, chunk_count = excluded.chunk_count, since = now(),
           has_vectors = excluded.has_vectors or (l.generation = excluded.generation and l.has_vectors and not $8)
         where l.generation <= excluded.generation
       returning has_vectors as "hasVectors"`,
      [tx.groupId, documentId, embeddingIndex.indexId, generation, embeddingIndex.bucket, chunkCount, hasVectors, anew],
    );
    return row?.hasVectors;
  }

  /** Whether the bucket has rows of a document beside one generation in one embedding index. */
  async hasOthers(tx: Transaction, { documentId, generation, embeddingIndex }: Generation): Promise<boolean> {
    const rows = await tx.prepared(
      `select from retrieval.chunk where bucket = $1 and group_id = $2 and document_id = $3
         and (space_id, generation) <> ($4, $5) limit 1`,
      [embeddingIndex.bucket, tx.groupId, documentId, embeddingIndex.indexId, generation],
    );
    return rows.length > 0;
  }

  /**
   * Removes up to `most` chunks of a document without a live row and without a load in progress; returns how many rows
   * it removed.
   */
  async purge(tx: Transaction, documentId: string, dimensions: readonly number[], most: number): Promise<number> {
    let gone = 0;
    for (const table of ['chunk', ...dimensions.map((dimension) => `vector_${dimension}`)]) {
      const rows = await tx.query(
        `delete from retrieval.${table} where (group_id, document_id, space_id, generation, ordinal) in (
           select c.group_id, c.document_id, c.space_id, c.generation, c.ordinal from retrieval.${table} c
           where c.group_id = $1 and c.document_id = $2 and ${doomed('c')} limit $3) and group_id = $1 and document_id = $2 returning ordinal`,
        [tx.groupId, documentId, most],
      );
      gone += rows.length;
    }
    return gone;
  }

  /** The places that a purge would leave empty in every embedding index, with the current revision. */
  vanishing(tx: Transaction, documentId: string): Promise<VanishingChunk[]> {
    return tx.query<VanishingChunk>(
      `select distinct c.document_id as "documentId", c.generation, c.ordinal, d.revision from retrieval.chunk c
       join retrieval.document d on d.group_id = c.group_id and d.document_id = c.document_id
       where c.group_id = $1 and c.document_id = $2 and ${doomed('c')} and not exists (
         select from retrieval.chunk o where o.group_id = $1 and o.document_id = $2 and o.generation = c.generation
           and o.ordinal = c.ordinal and not (${doomed('o')}))`,
      [tx.groupId, documentId],
    );
  }

  private async insertVectors(
    tx: Transaction,
    dimension: number,
    key: readonly unknown[],
    embedded: readonly LoadedVector[],
  ): Promise<void> {
    if (embedded.length === 0) return;
    await tx.prepared(
      `insert into retrieval.vector_${dimension} (${KEY}, ordinal, embedding)
       select $1, $2, $3, $4, $5, ordinal, embedding::vector from unnest($6::int[], $7::text[]) as given (ordinal, embedding)
       on conflict do nothing`,
      [...key, embedded.map(({ ordinal }) => ordinal), embedded.map(({ vector }) => vectorToSql(vector))],
    );
  }
}
