import type { Transaction } from './transactions';

/** Values of a row by column, as JSON. */
export type Row = Readonly<Record<string, unknown>>;

/** A tenant table whose rows can be transferred to another installation. */
export interface TransferTable {
  /** Without its schema. */
  readonly name: string;
  /** Columns that, with the group, identify a row: pages are cut by them. */
  readonly key: readonly string[];
  /** Rows that are transferred: SQL over the row `t`; all of them by default. */
  readonly only?: string;
  /** Columns that are not transferred: their values mean nothing in another installation. */
  readonly omit?: readonly string[];
  /** Columns that are transferred with another value: SQL over the row `t`. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** The named table is not transferred. */
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

  /** The next rows after `after`, in the order of their keys; from the first when null. @throws NotTransferred */
  async read(tx: Transaction, name: string, after: Row | null, most: number): Promise<Row[]> {
    const { key, only = 'true', omit = [], instead = {} } = this.table(name);
    const replaced = Object.entries(instead).map(([column, sql]) => `'${column}', ${sql}`);
    const keys = key.map((column) => `t.${column}`).join(', ');
    const from = key.map((column) => `a.${column}`).join(', ');
    const rows = await tx.query<{ row: Row }>(
      `select (to_jsonb(t) - $3::text[]) || jsonb_build_object(${replaced.join(', ')}) as row from ${this.schema}.${name} t
       where t.group_id = $1 and ${only} and ($2::jsonb is null or (${keys}) > (
         select ${from} from jsonb_populate_record(null::${this.schema}.${name}, $2::jsonb) a))
       order by ${keys} limit $4`,
      [tx.groupId, after === null ? null : JSON.stringify(after), ['group_id', ...omit], most],
    );
    return rows.map(({ row }) => row);
  }

  /**
   * Writes rows into the group of the transaction; existing rows stay unchanged. Columns that the table no longer has
   * are skipped, new ones take their defaults.
   * @throws NotTransferred
   */
  async write(tx: Transaction, name: string, rows: readonly Row[]): Promise<void> {
    const { omit = [] } = this.table(name);
    const table = `${this.schema}.${name}`;
    const tableColumns = await tx.query<{ column: string }>(
      `select attname as column from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table],
    );
    const provided = new Set(rows.flatMap((row) => Object.keys(row)));
    const columns = tableColumns
      .map(({ column }) => column)
      .filter((column) => provided.has(column) && !omit.includes(column));
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
