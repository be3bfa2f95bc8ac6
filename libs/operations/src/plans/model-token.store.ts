import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';

/** Stands for calls without an entity: keys have no null. */
const NO_ENTITY = '';

/** Tokens that are counted for one call. */
export interface CountedTokens {
  /** First day of the period. */
  readonly periodStart: string;
  readonly entityCode: string | null;
  readonly tokens: number;
}

/** What the running period of a group used. */
export interface UsedTokens {
  readonly used: number;
  readonly byEntity: ReadonlyMap<string, number>;
}

const NOTHING_USED: UsedTokens = { used: 0, byEntity: new Map() };

/** Passes while something is left, so that one call at most, with its most tokens, goes over the limit. */
const TAKE = `
insert into operations.model_token as t (group_id, period_start, used)
select $1, $2::date, $3::bigint where $4::bigint is null or $4 > 0
on conflict (group_id) do update set
  used = case when t.period_start < excluded.period_start then 0 else t.used end + $3,
  period_start = greatest(t.period_start, excluded.period_start)
where $4 is null or case when t.period_start < excluded.period_start then 0 else t.used end < $4
returning period_start::text as "periodStart"`;

/**
 * Counts the tokens of chat models by period. Every change locks the row of the group first, so no two transactions
 * wait for each other.
 */
@Injectable()
export class ModelTokenStore {
  /**
   * Counts tokens in a period, or in a later one that has begun by another clock. Answers the first day of that period;
   * undefined where the limit is used up.
   * @param limit null where nothing is refused
   */
  async take(tx: Transaction, counted: CountedTokens, limit: number | null): Promise<string | undefined> {
    const { periodStart, tokens } = counted;
    const [row] = await tx.query<{ periodStart: string }>(TAKE, [tx.groupId, periodStart, tokens, limit]);
    if (row === undefined) return undefined;
    await this.addToEntity(tx, { ...counted, periodStart: row.periodStart });
    return row.periodStart;
  }

  /** Adds tokens to the period that they were counted in, or takes them back where they are below zero. */
  async correct(tx: Transaction, counted: CountedTokens): Promise<void> {
    await tx.query(
      `update operations.model_token set used = greatest(0, used + $3) where group_id = $1 and period_start = $2::date`,
      [tx.groupId, counted.periodStart, counted.tokens],
    );
    await this.addToEntity(tx, counted);
  }

  /** Locks the count of the group. */
  async lock(tx: Transaction): Promise<void> {
    await tx.query('select from operations.model_token where group_id = $1 for update', [tx.groupId]);
  }

  /** What the period of a moment used. A period that was begun under another start day goes on until the next one. */
  async used(tx: Transaction, periodStart: string): Promise<UsedTokens> {
    const [row] = await tx.query<{ used: number; counts: Readonly<Record<string, number>> }>(
      `select used::float8 as used,
         (select coalesce(jsonb_object_agg(c.entity_code, c.used), '{}') from operations.model_token_count c
          where c.group_id = t.group_id and c.period_start = t.period_start and c.entity_code <> $3) as counts
       from operations.model_token t where group_id = $1 and period_start >= $2::date`,
      [tx.groupId, periodStart, NO_ENTITY],
    );
    return row === undefined ? NOTHING_USED : { used: row.used, byEntity: new Map(Object.entries(row.counts)) };
  }

  /** Moves the running period to a later first day, with what it used. Answers its earlier first day where it moved. */
  async move(tx: Transaction, from: string, to: string): Promise<string | undefined> {
    const [moved] = await tx.query<{ from: string }>(
      `update operations.model_token set period_start = $3::date
       where group_id = $1 and period_start >= $2::date and period_start < $3::date
       returning old.period_start::text as "from"`,
      [tx.groupId, from, to],
    );
    if (moved === undefined) return undefined;
    await tx.query(
      `update operations.model_token_count set period_start = $3::date where group_id = $1 and period_start = $2::date`,
      [tx.groupId, moved.from, to],
    );
    return moved.from;
  }

  private async addToEntity(tx: Transaction, { periodStart, entityCode, tokens }: CountedTokens): Promise<void> {
    await tx.query(
      `insert into operations.model_token_count as c (group_id, period_start, entity_code, used)
       values ($1, $2::date, $3, greatest(0, $4::bigint))
       on conflict (group_id, period_start, entity_code) do update set used = greatest(0, c.used + $4::bigint)`,
      [tx.groupId, periodStart, entityCode ?? NO_ENTITY, tokens],
    );
  }
}
