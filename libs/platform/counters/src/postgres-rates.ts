import { appRole, type Database } from '@acervo/platform-database';
import type { Counted } from './counters';
import { countedOf, type RatedName, Rates, spacingOf } from './rates';

/** The table of rates in a schema; it belongs to no group, like the table of counts. */
export const REQUEST_RATE_TABLE = 'request_rate';

/**
 * The SQL of its migration. The table is not logged: a request does not wait for the disk, and a crash of the engine
 * empties the counters.
 */
export const ratesSql = (schema: string): string => `
create unlogged table ${schema}.${REQUEST_RATE_TABLE} (name text primary key, used_up_at timestamptz not null,
  wait float8 not null) with (fillfactor = 50);
grant select, insert, update, delete on ${schema}.${REQUEST_RATE_TABLE} to ${appRole(schema)};`;

/**
 * One statement: its row lock serialises requests of one name, and the clock is read once, behind the lock. Rows are
 * written in the order of their names, so that two requests never wait for each other.
 */
const admitSql = (table: string): string => `
insert into ${table} as r (name, used_up_at, wait)
select name, clock_timestamp() + make_interval(secs => every), 0 from unnest($1::text[], $2::float8[]) as c (name, every) order by name
on conflict (name) do update set (used_up_at, wait) = (
  select case when over <= 0 then greatest(r.used_up_at, at) + make_interval(secs => every) else r.used_up_at end, greatest(0, over)
  from (select every, at, extract(epoch from r.used_up_at - at)::float8 - ahead as over
    from unnest($1::text[], $2::float8[], $3::float8[]) as c (name, every, ahead), (select clock_timestamp() as at offset 0) as clock
    where c.name = r.name) as counter)
returning wait`;

/** Counts in a table, for all replicas together. */
export class PostgresRates extends Rates {
  private readonly table: string;

  constructor(
    private readonly database: Database,
    schema: string,
  ) {
    super();
    this.table = `${schema}.${REQUEST_RATE_TABLE}`;
  }

  override async admit(counters: readonly RatedName[]): Promise<Counted> {
    const spacings = counters.map(({ rate }) => spacingOf(rate));
    const params = [
      counters.map(({ name }) => name),
      spacings.map(({ every }) => every),
      spacings.map(({ ahead }) => ahead),
    ];
    const rows = await this.database.ungroupedStatement<{ wait: number }>(admitSql(this.table), params);
    // Any other answer would admit every request.
    if (rows.length !== counters.length) throw new Error('A rate was not counted.');
    return countedOf(rows.map(({ wait }) => wait));
  }

  override async prune(): Promise<void> {
    await this.database.ungrouped((tx) => tx.query(`delete from ${this.table} where used_up_at < clock_timestamp()`));
  }
}
