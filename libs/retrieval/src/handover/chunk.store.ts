import { Injectable } from '@nestjs/common';
import type { PreparedChunk } from '@acervo/contracts';
import { type Transaction, vectorToSql } from '@acervo/platform-database';
import { atPlaces } from '@acervo/platform-queue';
import type { VanishingChunk } from '../legs/opensearch/copies/chunk-copies';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { loadingStages, work } from '../kernel/work-sql';

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

/** A generation of a document. */
export interface GenerationKey {
  readonly documentId: string;
  readonly generation: number;
}

/** A generation of a document in an embedding index: the key of chunks and vectors. */
export interface Generation extends GenerationKey {
  readonly embeddingIndex: LiveEmbeddingIndex;
}

/** What a hand-over says of its generation. */
interface LoadedFact extends GenerationKey {
  readonly chunkCount: number;
  readonly vectorsObject: string | null;
  /** Whether everything that was loaded before is replaced. */
  readonly anew?: boolean;
}

/** Rows without a live row and without a load in progress. */
const doomed = (alias: string): string => `not exists (
  select from retrieval.live l where l.group_id = ${alias}.group_id and l.document_id = ${alias}.document_id
    and l.space_id = ${alias}.space_id and l.generation = ${alias}.generation)
  and not ${work.hasOpen({
    ...({ group: `${alias}.group_id`, subject: `${alias}.document_id` } as const),
    ...({ stages: loadingStages, generation: `${alias}.generation` } as const),
  })}`;

/** Generations as a relation; `place` counts them from 1. */
const GENERATIONS = `unnest($3::uuid[], $4::int[]) with ordinality as given (document_id, generation, place)`;
const IS_LIVE = `l.group_id = $1 and l.space_id = $2 and l.document_id = given.document_id
  and l.generation = given.generation`;

const generationParams = (tx: Transaction, indexId: number, generations: readonly GenerationKey[]): unknown[] => [
  tx.groupId,
  indexId,
  generations.map(({ documentId }) => documentId),
  generations.map(({ generation }) => generation),
];

const KEY = 'bucket, group_id, space_id, document_id, generation';

@Injectable()
export class ChunkStore {
  /** Writes chunks of generations into both legs; existing chunks stay as they are. */
  async load(
    tx: Transaction,
    embeddingIndex: LiveEmbeddingIndex,
    parts: readonly (GenerationKey & { readonly chunks: readonly LoadedChunk[] })[],
  ): Promise<void> {
    const rows = parts.flatMap(({ documentId, generation, chunks }) =>
      chunks.map((chunk) => ({ documentId, generation, ...chunk })),
    );
    if (rows.length === 0) return;
    const column = <T>(pick: (row: (typeof rows)[number]) => T): T[] => rows.map(pick);
    await tx.prepared(
      `insert into retrieval.chunk (${KEY}, ordinal, page, start_at, end_at, text, context, language, terms)
       select $1, $2, $3, document_id, generation, ordinal, page, start_at, end_at, text, context, language, terms
       from unnest($4::uuid[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::text[], $11::text[], $12::text[],
         $13::text[]) as given (document_id, generation, ordinal, page, start_at, end_at, text, context, language, terms)
       on conflict do nothing`,
      [
        embeddingIndex.bucket,
        tx.groupId,
        embeddingIndex.indexId,
        column(({ documentId }) => documentId),
        column(({ generation }) => generation),
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
    const vectors = rows.flatMap(({ vector, ...row }) => (vector === null ? [] : [{ ...row, vector }]));
    await this.loadVectors(tx, embeddingIndex, vectors);
  }

  /** Writes vectors of chunks that are loaded already; existing vectors stay as they are. */
  async loadVectors(
    tx: Transaction,
    { bucket, indexId, dimension }: LiveEmbeddingIndex,
    vectors: readonly (GenerationKey & LoadedVector)[],
  ): Promise<void> {
    if (vectors.length === 0) return;
    await tx.prepared(
      `insert into retrieval.vector_${dimension} (${KEY}, ordinal, embedding)
       select $1, $2, $3, document_id, generation, ordinal, embedding::vector
       from unnest($4::uuid[], $5::int[], $6::int[], $7::text[]) as given (document_id, generation, ordinal, embedding)
       on conflict do nothing`,
      [
        bucket,
        tx.groupId,
        indexId,
        vectors.map(({ documentId }) => documentId),
        vectors.map(({ generation }) => generation),
        vectors.map(({ ordinal }) => ordinal),
        vectors.map(({ vector }) => vectorToSql(vector)),
      ],
    );
  }

  /** Those generations that are live, and stay so until the end of the transaction. */
  async lockLive<G extends GenerationKey>(
    tx: Transaction,
    { indexId }: LiveEmbeddingIndex,
    generations: readonly G[],
  ): Promise<readonly G[]> {
    const rows = await tx.prepared<{ place: number }>(
      `select given.place::int from retrieval.live l, ${GENERATIONS} where ${IS_LIVE} order by l.document_id
       for no key update of l`,
      generationParams(tx, indexId, generations),
    );
    return atPlaces(generations, rows);
  }

  /** Marks the vectors of live generations as loaded. */
  async completeVectors(
    tx: Transaction,
    { indexId }: LiveEmbeddingIndex,
    generations: readonly GenerationKey[],
  ): Promise<void> {
    if (generations.length === 0) return;
    await tx.prepared(
      `update retrieval.live l set has_vectors = true, noted_in = pg_current_xact_id() from ${GENERATIONS} where ${IS_LIVE}`,
      generationParams(tx, indexId, generations),
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
   * Makes generations of different documents live, unless newer ones are. Vectors that were loaded before stay, unless
   * all is loaded again. Returns the documents that are live now, and whether their vectors are loaded.
   */
  async makeLive(
    tx: Transaction,
    embeddingIndex: LiveEmbeddingIndex,
    loaded: readonly { readonly fact: LoadedFact }[],
  ): Promise<ReadonlyMap<string, boolean>> {
    const live = new Map<string, boolean>();
    for (const isAgain of [false, true]) {
      const facts = loaded.map(({ fact }) => fact).filter((fact) => (fact.anew === true) === isAgain);
      if (facts.length === 0) continue;
      const rows = await tx.prepared<{ documentId: string; hasVectors: boolean }>(
        `insert into retrieval.live as l (group_id, space_id, bucket, document_id, generation, chunk_count, has_vectors)
         select $1, $2, $3, document_id, generation, chunk_count, has_vectors
         from unnest($5::uuid[], $6::int[], $7::int[], $8::boolean[]) as given (document_id, generation, chunk_count, has_vectors)
         on conflict (group_id, document_id, space_id) do update
           set generation = excluded.generation, bucket = excluded.bucket, chunk_count = excluded.chunk_count, since = now(),
             noted_in = excluded.noted_in,
             has_vectors = excluded.has_vectors or (l.generation = excluded.generation and l.has_vectors and not $4::boolean)
           where l.generation <= excluded.generation
         returning document_id as "documentId", has_vectors as "hasVectors"`,
        [
          tx.groupId,
          embeddingIndex.indexId,
          embeddingIndex.bucket,
          isAgain,
          facts.map(({ documentId }) => documentId),
          facts.map(({ generation }) => generation),
          facts.map(({ chunkCount }) => chunkCount),
          facts.map(({ vectorsObject }) => vectorsObject !== null),
        ],
      );
      for (const { documentId, hasVectors } of rows) live.set(documentId, hasVectors);
    }
    return live;
  }

  /** Those documents of which the bucket has rows beside one generation in one embedding index. */
  async withOthers(
    tx: Transaction,
    { bucket, indexId }: LiveEmbeddingIndex,
    generations: readonly GenerationKey[],
  ): Promise<ReadonlySet<string>> {
    const rows = await tx.prepared<{ documentId: string }>(
      `select given.document_id as "documentId" from unnest($4::uuid[], $5::int[]) as given (document_id, generation)
       where exists (select from retrieval.chunk c where c.bucket = $1 and c.group_id = $2
         and c.document_id = given.document_id and (c.space_id, c.generation) <> ($3, given.generation) offset 0)`,
      [
        bucket,
        tx.groupId,
        indexId,
        generations.map(({ documentId }) => documentId),
        generations.map(({ generation }) => generation),
      ],
    );
    return new Set(rows.map(({ documentId }) => documentId));
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
}
