import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { REBUILD_STAGE } from '../../../kernel/stages';
import { work } from '../../../kernel/work-sql';

const IS_FILLING = work.hasOpen({ group: '$1', subject: '$1', stages: [REBUILD_STAGE] });

type IndexState = 'LIVE' | 'BUILDING' | 'RETIRED';

/** The indexes that copies of a group are written to: the live one, and the one that is being filled. */
@Injectable()
export class LexicalIndexStore {
  async written(tx: Transaction): Promise<readonly number[]> {
    const sql = `select number from retrieval.lexical_index where group_id = $1 and state in ('LIVE', 'BUILDING') order by number`;
    return (await tx.prepared<{ number: number }>(sql, [tx.groupId])).map(({ number }) => number);
  }

  async live(tx: Transaction): Promise<number | undefined> {
    const sql = `select number from retrieval.lexical_index where group_id = $1 and state = 'LIVE'`;
    return (await tx.prepared<{ number: number }>(sql, [tx.groupId]))[0]?.number;
  }

  /** Whether the live index has everything that was written, because no index is being filled. */
  async isWhole(tx: Transaction): Promise<boolean> {
    const rows = await tx.query(
      `select from retrieval.lexical_index where group_id = $1 and state = 'LIVE' and not ${IS_FILLING}`,
      [tx.groupId],
    );
    return rows.length > 0;
  }

  /**
   * Inserts the first index of a group. It is live at once in a group without chunks; otherwise it is to be filled.
   * Returns its state, undefined for a group that already has an index.
   */
  async first(tx: Transaction): Promise<IndexState | undefined> {
    const rows = await tx.query<{ state: IndexState }>(
      `insert into retrieval.lexical_index (group_id, number, state)
       select $1, 1, case when exists (select from retrieval.live where group_id = $1) then 'BUILDING' else 'LIVE' end
       where not exists (select from retrieval.lexical_index where group_id = $1)
       on conflict do nothing returning state`,
      [tx.groupId],
    );
    return rows[0]?.state;
  }

  /** The number of the index that is being filled, or else of the next one. */
  async following(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ number: number }>(
      `select coalesce(max(number) filter (where state = 'BUILDING'), max(number) + 1, 1) as number
       from retrieval.lexical_index where group_id = $1`,
      [tx.groupId],
    );
    return row?.number ?? 1;
  }

  async isRetired(tx: Transaction, number: number): Promise<boolean> {
    const sql = `select from retrieval.lexical_index where group_id = $1 and number = $2 and state = 'RETIRED'`;
    return (await tx.query(sql, [tx.groupId, number])).length > 0;
  }

  /** Inserts a further index to be filled, unless one is being filled already; returns its number. */
  async next(tx: Transaction): Promise<number> {
    await tx.query(
      `insert into retrieval.lexical_index (group_id, number, state)
       select $1, coalesce(max(number), 0) + 1, 'BUILDING' from retrieval.lexical_index where group_id = $1
       having not coalesce(bool_or(state = 'BUILDING'), false) on conflict do nothing`,
      [tx.groupId],
    );
    const [row] = await tx.query<{ number: number }>(
      `select number from retrieval.lexical_index where group_id = $1 and state = 'BUILDING'`,
      [tx.groupId],
    );
    if (row === undefined) throw new Error('An index of the group was noted and cannot be seen.');
    return row.number;
  }

  /**
   * Makes an index live; returns the indexes that are no longer live. An index that is filled to follow it stays as it
   * is; a retired one stays retired.
   */
  async makeLive(tx: Transaction, number: number): Promise<readonly number[]> {
    const sql = 'select number, state from retrieval.lexical_index where group_id = $1 order by number for update';
    const all = await tx.query<{ number: number; state: IndexState }>(sql, [tx.groupId]);
    if (!all.some((each) => each.number === number && each.state !== 'RETIRED')) return [];
    const retired = all.filter((each) => each.number !== number && each.state === 'LIVE').map((each) => each.number);
    const become = 'update retrieval.lexical_index set state = $3 where group_id = $1 and number = any($2)';
    await tx.query(become, [tx.groupId, retired, 'RETIRED']);
    await tx.query(become, [tx.groupId, [number], 'LIVE']);
    return retired;
  }

  async forget(tx: Transaction, number: number): Promise<void> {
    await tx.query(`delete from retrieval.lexical_index where group_id = $1 and number = $2 and state = 'RETIRED'`, [
      tx.groupId,
      number,
    ]);
  }
}
