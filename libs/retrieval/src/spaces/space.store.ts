import type { EmbeddingModelKey } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';

/** The vector space that a group searches. */
export interface LiveSpace {
  readonly spaceId: number;
  readonly model: string;
  readonly revision: string;
  readonly dimension: number;
  readonly floor: number;
  readonly bucket: number;
  /** More chunks than this the group does not have; what is searched exactly is decided by it. */
  readonly mostChunks: number;
}

interface SpaceRow {
  readonly space_id: number;
  readonly model: string;
  readonly revision: string;
  readonly dimension: number;
  readonly floor: number;
  readonly bucket: number;
  readonly analysed: string;
}

/** Statistics are renewed whenever the chunks have doubled, so there are at most twice as many as then. */
const toSpace = ({ space_id: spaceId, analysed, ...row }: SpaceRow): LiveSpace => ({
  spaceId,
  ...row,
  mostChunks: 2 * Math.max(100, Number(analysed)),
});

export class SpaceStore {
  /** The space and bucket of a group; undefined until its first hand-over. */
  async live(tx: Transaction): Promise<LiveSpace | undefined> {
    const [row] = await tx.prepared<SpaceRow>(
      `select s.space_id, s.model, s.revision, s.dimension, s.floor, b.bucket, b.analysed_rows as analysed
       from retrieval.embedding_space s join retrieval.bucket_catalogue b on b.group_id = s.group_id
       where s.group_id = $1 and s.state = 'LIVE'`,
      [tx.groupId],
    );
    return row === undefined ? undefined : toSpace(row);
  }

  /** The space of a model, made on first use; the first space of a group is live at once. */
  async ensure(tx: Transaction, { model, revision, dimension, floor }: EmbeddingModelKey): Promise<LiveSpace> {
    await tx.query(`insert into retrieval.bucket_catalogue (group_id) values ($1) on conflict (group_id) do nothing`, [
      tx.groupId,
    ]);
    await tx.query(
      `insert into retrieval.embedding_space (group_id, space_id, model, revision, dimension, floor, state)
       select $1, coalesce(max(space_id), 0) + 1, $2, $3, $4, $5, case when count(*) = 0 then 'LIVE' else 'BUILDING' end
       from retrieval.embedding_space where group_id = $1
       on conflict (group_id, model, revision) do nothing`,
      [tx.groupId, model, revision, dimension, floor],
    );
    const [row] = await tx.prepared<SpaceRow>(
      `select s.space_id, s.model, s.revision, s.dimension, s.floor, b.bucket, b.analysed_rows as analysed
       from retrieval.embedding_space s join retrieval.bucket_catalogue b on b.group_id = s.group_id
       where s.group_id = $1 and s.model = $2 and s.revision = $3`,
      [tx.groupId, model, revision],
    );
    if (row === undefined) throw new Error('An embedding space was made and cannot be seen.');
    return toSpace(row);
  }
}
