import type { Transaction } from '@acervo/platform-database';
import type { LiveSpace } from './space.store';

/** Documents of the live space, and how many of them lie in another one as they are. */
export interface Coverage {
  readonly documents: number;
  readonly built: number;
}

/** A document of the live space counts as built once the same or a later generation of it is live in the other one. */
const IN_OTHER = `exists (select from retrieval.live b where b.group_id = l.group_id and b.document_id = l.document_id
  and b.space_id = $3 and b.generation >= l.generation)`;

/** The change from one vector space to another. */
export class SwitchStore {
  async coverage(tx: Transaction, live: LiveSpace, spaceId: number | null): Promise<Coverage> {
    const [row] = await tx.query<Coverage>(
      `select count(*)::int as documents, (count(*) filter (where ${IN_OTHER}))::int as built
       from retrieval.live l where l.group_id = $1 and l.space_id = $2`,
      [tx.groupId, live.spaceId, spaceId],
    );
    return row ?? { documents: 0, built: 0 };
  }

  /**
   * Makes a space that is being built the one that is searched, if every document that is searched now lies in it.
   * Whoever makes a document live holds the row of its space, so nothing slips in between. Answers whether it did.
   */
  async flip(tx: Transaction, live: LiveSpace, next: LiveSpace): Promise<boolean> {
    const states = await tx.query<{ space_id: number; state: string }>(
      `select space_id, state from retrieval.embedding_space where group_id = $1 and space_id = any($2::int[])
       order by space_id for update`,
      [tx.groupId, [live.spaceId, next.spaceId]],
    );
    const is = (space: LiveSpace, state: string): boolean =>
      states.some((row) => row.space_id === space.spaceId && row.state === state);
    if (!is(live, 'LIVE') || !is(next, 'BUILDING')) return false;
    const lacking = await tx.query(
      `select from retrieval.live l where l.group_id = $1 and l.space_id = $2 and not ${IN_OTHER} limit 1`,
      [tx.groupId, live.spaceId, next.spaceId],
    );
    if (lacking.length > 0) return false;
    await this.mark(tx, live.spaceId, 'RETIRED');
    await this.mark(tx, next.spaceId, 'LIVE');
    return true;
  }

  /** Gives up a space that was being built. */
  giveUp(tx: Transaction, { spaceId }: LiveSpace): Promise<void> {
    return this.mark(tx, spaceId, 'RETIRED');
  }

  /** Takes some documents out of a retired space; answers which. */
  async leave(tx: Transaction, spaceId: number, most: number): Promise<readonly string[]> {
    const rows = await tx.query<{ documentId: string }>(
      `delete from retrieval.live where group_id = $1 and space_id = $2 and document_id in (
         select document_id from retrieval.live where group_id = $1 and space_id = $2 limit $3)
       returning document_id as "documentId"`,
      [tx.groupId, spaceId, most],
    );
    return rows.map(({ documentId }) => documentId);
  }

  private async mark(tx: Transaction, spaceId: number, state: 'LIVE' | 'RETIRED'): Promise<void> {
    await tx.query(`update retrieval.embedding_space set state = $3 where group_id = $1 and space_id = $2`, [
      tx.groupId,
      spaceId,
      state,
    ]);
  }
}
