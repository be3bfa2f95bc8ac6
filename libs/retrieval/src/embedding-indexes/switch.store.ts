import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import type { LiveEmbeddingIndex } from './embedding-index.store';

/** Documents of the live embedding index, and how many of them another one contains in the same state. */
export interface Coverage {
  readonly documents: number;
  readonly built: number;
}

/**
 * A document of the live index counts as built when the other index has the same or a later generation live, with its
 * vectors.
 */
const IN_OTHER = `exists (select from retrieval.live b where b.group_id = l.group_id and b.document_id = l.document_id
  and b.space_id = $3 and b.generation >= l.generation and b.has_vectors)`;

/** The change from one embedding index to another. */
@Injectable()
export class SwitchStore {
  async coverage(tx: Transaction, live: LiveEmbeddingIndex, indexId: number | null): Promise<Coverage> {
    const [row] = await tx.query<Coverage>(
      `select count(*)::int as documents, (count(*) filter (where ${IN_OTHER}))::int as built
       from retrieval.live l where l.group_id = $1 and l.space_id = $2`,
      [tx.groupId, live.indexId, indexId],
    );
    return row ?? { documents: 0, built: 0 };
  }

  /**
   * Makes an embedding index live, if it contains every document that is searched now. Every transaction that makes a
   * document live locks the row of its embedding index, so no document is missed. Returns whether it did.
   */
  async flip(tx: Transaction, live: LiveEmbeddingIndex, next: LiveEmbeddingIndex): Promise<boolean> {
    const states = await tx.query<{ space_id: number; state: string }>(
      `select space_id, state from retrieval.embedding_space where group_id = $1 and space_id = any($2::int[])
       order by space_id for update`,
      [tx.groupId, [live.indexId, next.indexId]],
    );
    const is = (embeddingIndex: LiveEmbeddingIndex, state: string): boolean =>
      states.some((row) => row.space_id === embeddingIndex.indexId && row.state === state);
    if (!is(live, 'LIVE') || !is(next, 'BUILDING')) return false;
    const lacking = await tx.query(
      `select from retrieval.live l where l.group_id = $1 and l.space_id = $2 and not ${IN_OTHER} limit 1`,
      [tx.groupId, live.indexId, next.indexId],
    );
    if (lacking.length > 0) return false;
    await this.mark(tx, live.indexId, 'RETIRED');
    await this.mark(tx, next.indexId, 'LIVE');
    return true;
  }

  /** Gives up an embedding index that was being built. */
  giveUp(tx: Transaction, { indexId }: LiveEmbeddingIndex): Promise<void> {
    return this.mark(tx, indexId, 'RETIRED');
  }

  /** Removes some documents from a retired embedding index; returns their ids. */
  async leave(tx: Transaction, indexId: number, most: number): Promise<readonly string[]> {
    const rows = await tx.query<{ documentId: string }>(
      `delete from retrieval.live where group_id = $1 and space_id = $2 and document_id in (
         select document_id from retrieval.live where group_id = $1 and space_id = $2 limit $3)
       returning document_id as "documentId"`,
      [tx.groupId, indexId, most],
    );
    return rows.map(({ documentId }) => documentId);
  }

  private async mark(tx: Transaction, indexId: number, state: 'LIVE' | 'RETIRED'): Promise<void> {
    await tx.query(`update retrieval.embedding_space set state = $3 where group_id = $1 and space_id = $2`, [
      tx.groupId,
      indexId,
      state,
    ]);
  }
}
