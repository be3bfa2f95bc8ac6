import { appRole, type Database } from '@acervo/platform-database';
import { type Counted, Counters, type Limit } from './counters';

/** The table of counts in a schema; it belongs to no group, because attempts precede the knowledge of a group. */
export const RATE_TABLE = 'rate_count';

/** The SQL of its migration. */
export const countersSql = (schema: string): string => `
create table ${schema}.${RATE_TABLE} (name text primary key, hits timestamptz[] not null, admitted boolean not null,
  expires_at timestamptz not null);
create index ${RATE_TABLE}_expires on ${schema}.${RATE_TABLE} (expires_at);
grant select, insert, update, delete on ${schema}.${RATE_TABLE} to ${appRole(schema)};`;

const LIVE = `array(select hit from unnest(c.hits) hit where hit > clock_timestamp() - make_interval(secs => $3) order by hit)`;

/** One statement: its row lock serialises calls of `take` for one name. */
const takeSql = (table: string): string => `
insert into ${table} as c (name, hits, admitted, expires_at)
values ($1, array[clock_timestamp()], true, clock_timestamp() + make_interval(secs => $3))
on conflict (name) do update set
  admitted = cardinality(${LIVE}) < $2,
  hits = case when cardinality(${LIVE}) < $2 then ${LIVE} || clock_timestamp() else ${LIVE} end,
  expires_at = clock_timestamp() + make_interval(secs => $3)
returning admitted, ceil(extract(epoch from c.hits[1] + make_interval(secs => $3) - clock_timestamp()))::int as wait`;

/**
 * Counts in a table: the times of the last hits of each name, so that the limit applies to any interval of its length.
 */
export class PostgresCounters extends Counters {
  private readonly table: string;

  constructor(
    private readonly database: Database,
    schema: string,
  ) {
    super();
    this.table = `${schema}.${RATE_TABLE}`;
  }

  override take(name: string, { most, seconds }: Limit): Promise<Counted> {
    return this.database.ungrouped(async (tx) => {
      const [row] = await tx.prepared<{ admitted: boolean; wait: number }>(takeSql(this.table), [name, most, seconds]);
      if (row === undefined) throw new Error('A count was not stored.');
      return { admitted: row.admitted, retryAfterSeconds: row.admitted ? 0 : Math.max(1, row.wait) };
    });
  }

  override async giveBack(name: string): Promise<void> {
    await this.database.ungrouped((tx) =>
      tx.prepared(`update ${this.table} set hits = trim_array(hits, 1) where name = $1 and cardinality(hits) > 0`, [
        name,
      ]),
    );
  }

  override async prune(): Promise<void> {
    await this.database.ungrouped((tx) => tx.query(`delete from ${this.table} where expires_at < clock_timestamp()`));
  }
}
