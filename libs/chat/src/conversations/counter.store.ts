import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';

/** Numbers of a group by what they count. */
type Series = 'conversation' | 'message' | 'support_request';

/** The numbers that the contract asks for, per group. Gaps are possible, repetitions are not. */
@Injectable()
export class CounterStore {
  /** Takes `count` consecutive numbers; answers the first. */
  async take(tx: Transaction, series: Series, count = 1): Promise<number> {
    const [row] = await tx.query<{ value: number }>(
      `insert into chat.counter as c (group_id, name, value) values ($1, $2, $3)
       on conflict (group_id, name) do update set value = c.value + $3 returning value`,
      [tx.groupId, series, count],
    );
    if (row === undefined) throw new Error(`The series ${series} gave no number.`);
    return row.value - count + 1;
  }
}
