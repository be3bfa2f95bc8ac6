import type { EmbeddingModelKey } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';

/** The vector space that a group searches, or one that it will. */
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

export type SpaceState = 'LIVE' | 'BUILDING' | 'RETIRED';

/** A space as a hand-over finds it. */
export interface EnsuredSpace {
  readonly space: LiveSpace;
  readonly state: SpaceState;
  /** The first space of the group, searched from now on. */
  readonly becameLive: boolean;
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

/**
 * Statistics are renewed whenever the chunks have doubled, which each process that loads sees a little late: there are
 * at most twice as many as then, and an eighth.
 */
const MOST_SINCE = 2.25;

const toSpace = ({ space_id: spaceId, analysed, ...row }: SpaceRow): LiveSpace => ({
  spaceId,
  ...row,
  mostChunks: MOST_SINCE * Math.max(100, Number(analysed)),
});

const SPACE = `select s.space_id, s.model, s.revision, s.dimension, s.floor, b.bucket, b.analysed_rows as analysed
  from retrieval.embedding_space s join retrieval.bucket_catalogue b on b.group_id = s.group_id
  where s.group_id = $1`;

export class SpaceStore {
  /** The space and bucket of a group; undefined until its first hand-over. */
  async live(tx: Transaction): Promise<LiveSpace | undefined> {
    const [row] = await tx.prepared<SpaceRow>(`${SPACE} and s.state = 'LIVE'`, [tx.groupId]);
    return row === undefined ? undefined : toSpace(row);
  }

  /** The spaces that are being built. */
  async building(tx: Transaction): Promise<readonly LiveSpace[]> {
    return (await tx.prepared<SpaceRow>(`${SPACE} and s.state = 'BUILDING'`, [tx.groupId])).map(toSpace);
  }

  /** The dimensions of all spaces of a group: the tables where its vectors can lie. */
  async dimensions(tx: Transaction): Promise<readonly number[]> {
    const sql = `select distinct dimension from retrieval.embedding_space where group_id = $1`;
    return (await tx.prepared<{ dimension: number }>(sql, [tx.groupId])).map(({ dimension }) => dimension);
  }

  /**
   * The space of a model in the bucket of its group, which was made before; made on first use, and the first space of a
   * group is live at once. One that was retired is built anew when it is `wanted`, and stays retired otherwise.
   */
  async ensure(tx: Transaction, key: EmbeddingModelKey, wanted: boolean): Promise<EnsuredSpace> {
    const { model, revision, dimension, floor } = key;
    const made = await tx.query<{ state: SpaceState }>(
      `insert into retrieval.embedding_space as s (group_id, space_id, model, revision, dimension, floor, state)
       select $1, coalesce(max(space_id), 0) + 1, $2, $3, $4, $5, case when count(*) = 0 then 'LIVE' else 'BUILDING' end
       from retrieval.embedding_space where group_id = $1
       on conflict (group_id, model, revision) do update set state = 'BUILDING' where s.state = 'RETIRED' and $6
       returning s.state`,
      [tx.groupId, model, revision, dimension, floor, wanted],
    );
    const found = await this.find(tx, key);
    if (found === undefined) throw new Error('An embedding space was made and cannot be seen.');
    return { ...found, becameLive: made[0]?.state === 'LIVE' };
  }

  /** The space of a model as it is; undefined before its first use. */
  async find(
    tx: Transaction,
    { model, revision }: Pick<EmbeddingModelKey, 'model' | 'revision'>,
  ): Promise<Omit<EnsuredSpace, 'becameLive'> | undefined> {
    const [row] = await tx.prepared<SpaceRow & { readonly state: SpaceState }>(
      `${SPACE.replace('select', 'select s.state,')} and s.model = $2 and s.revision = $3`,
      [tx.groupId, model, revision],
    );
    if (row === undefined) return undefined;
    const { state, ...space } = row;
    return { space: toSpace(space), state };
  }

  /** Keeps the state of a space as it is until the end of the transaction; answers it. */
  async hold(tx: Transaction, spaceId: number): Promise<SpaceState | undefined> {
    const [row] = await tx.prepared<{ state: SpaceState }>(
      `select state from retrieval.embedding_space where group_id = $1 and space_id = $2 for share`,
      [tx.groupId, spaceId],
    );
    return row?.state;
  }
}
