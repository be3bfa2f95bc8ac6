import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';

/** The longest time of a reservation. No caller waits as long for a search, so the process of an older one has died. */
const FORGOTTEN = '1 minute';

/** How a retrieval was counted: reserved until its answer, or settled at once in a group without a limit. */
export type ReservationState = 'held' | 'settled';

/**
 * Counts retrievals of a group. Every change of the count locks the row of the group first, so no two transactions
 * wait for each other.
 */
@Injectable()
export class QuotaStore {
  /** Counts one more; undefined when the quota is used up. */
  async reserve(tx: Transaction, reservationId: string): Promise<ReservationState | undefined> {
    const [row] = await tx.prepared<{ limited: boolean }>(
      `with counted as (
         insert into retrieval.allowance as a (group_id, used) values ($1, 1)
         on conflict (group_id) do update set used = a.used + 1 where a.included is null or a.used < a.included
         returning a.included),
       held as (
         insert into retrieval.taking (group_id, taking_id) select $1, $2 from counted where included is not null)
       select included is not null as limited from counted`,
      [tx.groupId, reservationId],
    );
    if (row === undefined) return undefined;
    return row.limited ? 'held' : 'settled';
  }

  /** Releases reservations of processes that died. Returns how many. */
  async reclaim(tx: Transaction): Promise<number> {
    await this.lock(tx);
    return this.release(tx, `taken_at < now() - interval '${FORGOTTEN}'`);
  }

  /** Refunds one retrieval that failed. */
  async refund(tx: Transaction, reservationId: string, reservation: ReservationState): Promise<void> {
    await this.lock(tx);
    if (reservation === 'held') await this.release(tx, 'taking_id = $2', [reservationId]);
    else
      await tx.query('update retrieval.allowance set used = used - 1 where group_id = $1 and used > 0', [tx.groupId]);
  }

  /** Settles a retrieval before its answer; it stays counted. */
  async settle(tx: Transaction, reservationId: string): Promise<void> {
    await tx.prepared('delete from retrieval.taking where group_id = $1 and taking_id = $2', [
      tx.groupId,
      reservationId,
    ]);
  }

  private async lock(tx: Transaction): Promise<void> {
    await tx.query('select from retrieval.allowance where group_id = $1 for update', [tx.groupId]);
  }

  private async release(tx: Transaction, which: string, params: readonly unknown[] = []): Promise<number> {
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
