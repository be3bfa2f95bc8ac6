import type { Transaction } from '@acervo/platform-database';

/** How long a retrieval may stay unanswered. Nobody waits as long for a search, so whoever worked on it has died. */
const FORGOTTEN = '1 minute';

/** Where the retrieval stands that was counted: held until it is answered, or settled at once where nothing limits it. */
export type Taken = 'held' | 'settled';

/**
 * Counts retrievals of a group. The row of the group is written first by whoever changes its count, so nobody waits for
 * somebody who waits for them.
 */
export class AllowanceStore {
  /** Counts one more; undefined where none is left. */
  async take(tx: Transaction, takingId: string): Promise<Taken | undefined> {
    const [row] = await tx.prepared<{ limited: boolean }>(
      `with counted as (
         insert into retrieval.allowance as a (group_id, used) values ($1, 1)
         on conflict (group_id) do update set used = a.used + 1 where a.included is null or a.used < a.included
         returning a.included),
       held as (
         insert into retrieval.taking (group_id, taking_id) select $1, $2 from counted where included is not null)
       select included is not null as limited from counted`,
      [tx.groupId, takingId],
    );
    if (row === undefined) return undefined;
    return row.limited ? 'held' : 'settled';
  }

  /** Gives back what processes had taken that died with it. Answers how many. */
  async reclaim(tx: Transaction): Promise<number> {
    await this.lock(tx);
    return this.giveBack(tx, `taken_at < now() - interval '${FORGOTTEN}'`);
  }

  /** Gives back one retrieval that came to nothing. */
  async refund(tx: Transaction, takingId: string, taken: Taken): Promise<void> {
    await this.lock(tx);
    if (taken === 'held') await this.giveBack(tx, 'taking_id = $2', [takingId]);
    else
      await tx.query('update retrieval.allowance set used = used - 1 where group_id = $1 and used > 0', [tx.groupId]);
  }

  /** The retrieval is about to be answered, and stays counted. */
  async settle(tx: Transaction, takingId: string): Promise<void> {
    await tx.prepared('delete from retrieval.taking where group_id = $1 and taking_id = $2', [tx.groupId, takingId]);
  }

  private async lock(tx: Transaction): Promise<void> {
    await tx.query('select from retrieval.allowance where group_id = $1 for update', [tx.groupId]);
  }

  private async giveBack(tx: Transaction, which: string, params: readonly unknown[] = []): Promise<number> {
    const [row] = await tx.query<{ returned: number }>(
      `with gone as (delete from retrieval.taking where group_id = $1 and ${which} returning taking_id),
       returned as (select count(*)::int as returned from gone),
       counted as (
         update retrieval.allowance set used = greatest(0, used - returned) from returned
         where group_id = $1 and returned > 0)
       select returned from returned`,
      [tx.groupId, ...params],
    );
    return row?.returned ?? 0;
  }
}
