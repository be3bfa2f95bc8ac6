import { Injectable } from '@nestjs/common';
import type { EmbeddingModelKey } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { liveIndexSql } from './live-index-sql';

/** An embedding index of a group: the live one, or one that is being built. */
export interface LiveEmbeddingIndex {
  readonly indexId: number;
  readonly model: string;
  readonly revision: string;
  readonly dimension: number;
  readonly floor: number;
  readonly bucket: number;
  /** An upper bound for the chunks of the group; it decides whether a search is exact. */
  readonly mostChunks: number;
  /** Whether it contains documents whose vectors are still to come. */
  readonly isPartial: boolean;
}

export type EmbeddingIndexState = 'LIVE' | 'BUILDING' | 'RETIRED';

/** The embedding index of a hand-over. */
export interface EnsuredEmbeddingIndex {
  readonly embeddingIndex: LiveEmbeddingIndex;
  readonly state: EmbeddingIndexState;
  /** Whether this is the first embedding index of the group, which is live from now on. */
  readonly becameLive: boolean;
}

interface EmbeddingIndexRow {
  readonly space_id: number;
  readonly model: string;
  readonly revision: string;
  readonly dimension: number;
  readonly floor: number;
  readonly bucket: number;
  readonly analysed: string;
  readonly isPartial: boolean;
}

/**
 * Statistics are renewed whenever the chunks have doubled. Each process that loads notices this a little late. So
 * there are at most twice as many chunks as at the last renewal, and an eighth.
 */
const MOST_SINCE = 2.25;

const toEmbeddingIndex = ({ space_id: indexId, analysed, ...row }: EmbeddingIndexRow): LiveEmbeddingIndex => ({
  indexId,
  ...row,
  mostChunks: MOST_SINCE * Math.max(100, Number(analysed)),
});

const EMBEDDING_INDEX_SQL = `select s.space_id, s.model, s.revision, s.dimension, s.floor, b.bucket, b.analysed_rows as analysed,
    exists (select from retrieval.live l where l.group_id = s.group_id and l.space_id = s.space_id and not l.has_vectors)
      as "isPartial"
  from retrieval.embedding_space s join retrieval.bucket_catalogue b on b.group_id = s.group_id
  where s.group_id = $1`;

@Injectable()
export class EmbeddingIndexStore {
  /** The live embedding index and the bucket of a group; undefined until its first hand-over. */
  async live(tx: Transaction): Promise<LiveEmbeddingIndex | undefined> {
    const [row] = await tx.prepared<EmbeddingIndexRow>(`${EMBEDDING_INDEX_SQL} and s.state = 'LIVE'`, [tx.groupId]);
    return row === undefined ? undefined : toEmbeddingIndex(row);
  }

  /** The number of the live embedding index; undefined until the first hand-over. */
  async liveId(tx: Transaction): Promise<number | undefined> {
    const sql = `select ${liveIndexSql('$1')} as "indexId"`;
    return (await tx.prepared<{ indexId: number | null }>(sql, [tx.groupId]))[0]?.indexId ?? undefined;
  }

  /** The embedding indexes that are being built. */
  async building(tx: Transaction): Promise<readonly LiveEmbeddingIndex[]> {
    return (await tx.prepared<EmbeddingIndexRow>(`${EMBEDDING_INDEX_SQL} and s.state = 'BUILDING'`, [tx.groupId])).map(
      toEmbeddingIndex,
    );
  }

  /** The dimensions of all embedding indexes of a group: the tables that may contain its vectors. */
  async dimensions(tx: Transaction): Promise<readonly number[]> {
    const sql = `select distinct dimension from retrieval.embedding_space where group_id = $1`;
    return (await tx.prepared<{ dimension: number }>(sql, [tx.groupId])).map(({ dimension }) => dimension);
  }

  /**
   * The embedding index of a model in the existing bucket of its group; created on first use. The first embedding
   * index of a group is live at once. A retired one is built again when it is `wanted`, and stays retired otherwise.
   */
  async ensure(tx: Transaction, key: EmbeddingModelKey, wanted: boolean): Promise<EnsuredEmbeddingIndex> {
    const { model, revision, dimension, floor } = key;
    const made = await tx.query<{ state: EmbeddingIndexState }>(
      `insert into retrieval.embedding_space as s (group_id, space_id, model, revision, dimension, floor, state)
       select $1, coalesce(max(space_id), 0) + 1, $2, $3, $4, $5, case when count(*) = 0 then 'LIVE' else 'BUILDING' end
       from retrieval.embedding_space where group_id = $1
       on conflict (group_id, model, revision) do update set state = 'BUILDING' where s.state = 'RETIRED' and $6
       returning s.state`,
      [tx.groupId, model, revision, dimension, floor, wanted],
    );
    const found = await this.find(tx, key);
    if (found === undefined) throw new Error('An embedding index was created and cannot be read.');
    return { ...found, becameLive: made[0]?.state === 'LIVE' };
  }

  /** The embedding index of a model; undefined before its first use. */
  async find(
    tx: Transaction,
    { model, revision }: Pick<EmbeddingModelKey, 'model' | 'revision'>,
  ): Promise<Omit<EnsuredEmbeddingIndex, 'becameLive'> | undefined> {
    const [row] = await tx.prepared<EmbeddingIndexRow & { readonly state: EmbeddingIndexState }>(
      `${EMBEDDING_INDEX_SQL.replace('select', 'select s.state,')} and s.model = $2 and s.revision = $3`,
      [tx.groupId, model, revision],
    );
    if (row === undefined) return undefined;
    const { state, ...embeddingIndex } = row;
    return { embeddingIndex: toEmbeddingIndex(embeddingIndex), state };
  }

  /** Locks an embedding index until the end of the transaction; returns its state. */
  async lockState(tx: Transaction, indexId: number): Promise<EmbeddingIndexState | undefined> {
    const [row] = await tx.prepared<{ state: EmbeddingIndexState }>(
      `select state from retrieval.embedding_space where group_id = $1 and space_id = $2 for share`,
      [tx.groupId, indexId],
    );
    return row?.state;
  }
}
