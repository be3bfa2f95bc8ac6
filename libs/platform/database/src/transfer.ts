import type { Transaction } from './transactions';

/** Values of a row by column, as JSON. */
export type Row = Readonly<Record<string, unknown>>;

/** A tenant table whose rows can be carried to another installation. */
export interface TransferTable {
  /** Without its schema. */
  readonly name: string;
  /** Columns that, with the group, name a row: pages are cut by them. */
  readonly key: readonly string[];
  /** Columns that are not carried: what they hold means nothing elsewhere. */
  readonly omit?: readonly string[];
  /** Columns that are carried as something else: SQL over the row `t`. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** A table that nobody carries was named. */
export class NotTransferred extends Error {
  constructor() {
    super('This table is not carried between installations; the tables of an export are listed in docs/export.md.');
    this.name = 'NotTransferred';
  }
}

/** Reads and writes whole rows of the tenant tables of one schema, group by group and page by page. */
export class Transfer {
  constructor(
    private readonly schema: string,
    readonly tables: readonly TransferTable[],
  ) {}

  /** The next rows after one, in the order of their keys; from the first where there is none. @throws NotTransferred */
  async read(tx: Transaction, name: string, after: Row | null, most: number): Promise<Row[]> {
    const { key, omit = [], instead = {} } = this.table(name);
    const replaced = Object.entries(instead).map(([column, sql]) => `'${column}', ${sql}`);
    const keys = key.map((column) => `t.${column}`).join(', ');
    const from = key.map((column) => `a.${column}`).join(', ');
    const rows = await tx.query<{ row: Row }>(
      `select (to_jsonb(t) - $3::text[]) || jsonb_build_object(${replaced.join(', ')}) as row from ${this.schema}.${name} t
       where t.group_id = $1 and ($2::jsonb is null or (${keys}) > (
         select ${from} from jsonb_populate_record(null::${this.schema}.${name}, $2::jsonb) a))
       order by ${keys} limit $4`,
      [tx.groupId, after === null ? null : JSON.stringify(after), ['group_id', ...omit], most],
    );
    return rows.map(({ row }) => row);
  }

  /**
   * Writes rows as rows of the group of the transaction; those that are there stay as they are. Columns that the table
   * has no more are left out, those that it has gained take their defaults. @throws NotTransferred
   */
  async write(tx: Transaction, name: string, rows: readonly Row[]): Promise<void> {
    const { omit = [] } = this.table(name);
    const table = `${this.schema}.${name}`;
    const known = await tx.query<{ column: string }>(
      `select attname as column from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table],
    );
    const given = new Set(rows.flatMap((row) => Object.keys(row)));
    const columns = known.map(({ column }) => column).filter((column) => given.has(column) && !omit.includes(column));
    const list = ['group_id', ...columns.filter((column) => column !== 'group_id')].join(', ');
    await tx.query(
      `insert into ${table} (${list}) select ${list} from jsonb_populate_recordset(null::${table}, $1::jsonb)
       on conflict do nothing`,
      [JSON.stringify(rows.map((row) => ({ ...row, group_id: tx.groupId })))],
    );
  }

  private table(name: string): TransferTable {
    const found = this.tables.find((table) => table.name === name);
    if (found === undefined) throw new NotTransferred();
    return found;
  }
}
