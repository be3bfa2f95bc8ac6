import { type MigrationClass, type MigrationOptions, sqlMigration } from './migrations';
import { tenantTable } from './tenancy';
import type { Transaction } from './transactions';

/** Values of a row by column, as JSON. */
export type Row = Readonly<Record<string, unknown>>;

/** A tenant table whose rows can be transferred to another installation. */
export interface TransferTable {
  /** Without its schema. */
  readonly name: string;
  /** Columns that, with the group, identify a row: pages are cut by them, so that none is omitted or replaced. */
  readonly key: readonly string[];
  /** Rows that are transferred: SQL over the row `t`; all of them by default. */
  readonly only?: string;
  /** Columns that are not transferred: their values mean nothing in another installation. */
  readonly omit?: readonly string[];
  /** Columns that are transferred with another value: SQL over the row `t`. None of the key. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Rows of a page, for tables of large rows; a page has to fit into one call. */
  readonly pageRows?: number;
}

/** The named table is not transferred. */
export class NotTransferred extends Error {
  constructor() {
    super('This table is not carried between installations; the tables of an export are listed in docs/export.md.');
    this.name = 'NotTransferred';
  }
}

/** The pages of a table in a snapshot, numbered from 0. */
export interface SnapshotTable {
  readonly table: string;
  readonly pages: number;
}

/** One page of a snapshot. */
export interface SnapshotPage {
  readonly snapshotId: string;
  readonly table: string;
  readonly page: number;
}

interface CopiedPage {
  readonly count: number;
  /** The last row: the next page follows it. */
  readonly last: Row;
}

/** A snapshot that its reader did not drop is deleted after this time. */
export const EXPIRED_SNAPSHOT = `made_at < now() - interval '1 hour'`;

/**
 * Creates the table of snapshots of a service. Its rows are as private as those that they were copied from.
 * @param name that of the first services is the default
 */
export const exportPagesMigration = (
  schema: string,
  name = 'ExportPages1796000000100',
  options: MigrationOptions = {},
): MigrationClass =>
  sqlMigration(
    name,
    `
create table ${schema}.export_page (group_id uuid not null, snapshot_id uuid not null, table_name text not null, page int not null,
  rows jsonb not null, made_at timestamptz not null default now(), primary key (group_id, snapshot_id, table_name, page));
${tenantTable(schema, 'export_page', 'select, insert, delete')}`,
    options,
  );

/** Rows of a page, which one call carries. */
const PAGE = 200;

/**
 * Exports and imports whole rows of the tenant tables of one schema, group by group. An export copies the rows within
 * the database, in one transaction without any network inside, and its pages are read afterwards, by any process of the
 * service. The copy is bounded in memory, and no transaction waits for the reader.
 */
export class Transfer {
  constructor(
    private readonly schema: string,
    readonly tables: readonly TransferTable[],
  ) {}

  /**
   * Copies the rows of all tables of the group.
   * @param tx of `writeFromSnapshot`: each table is copied as of the same moment
   */
  async takeSnapshot(tx: Transaction, snapshotId: string): Promise<SnapshotTable[]> {
    await this.dropExpired(tx);
    const taken: SnapshotTable[] = [];
    for (const table of this.tables) taken.push(await this.copy(tx, snapshotId, table));
    return taken;
  }

  /** The rows of one page; none for a page that is missing, as in a dropped snapshot. */
  async page(tx: Transaction, { snapshotId, table, page }: SnapshotPage): Promise<readonly Row[]> {
    const [found] = await tx.query<{ rows: Row[] }>(
      `select rows from ${this.schema}.export_page where group_id = $1 and snapshot_id = $2 and table_name = $3 and page = $4`,
      [tx.groupId, snapshotId, table, page],
    );
    return found?.rows ?? [];
  }

  async dropSnapshot(tx: Transaction, snapshotId: string): Promise<void> {
    await tx.query(`delete from ${this.schema}.export_page where group_id = $1 and snapshot_id = $2`, [
      tx.groupId,
      snapshotId,
    ]);
  }

  /** Drops the snapshots of exports that ended without doing so. */
  async dropExpired(tx: Transaction): Promise<void> {
    await tx.query(`delete from ${this.schema}.export_page where group_id = $1 and ${EXPIRED_SNAPSHOT}`, [tx.groupId]);
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

  private async copy(tx: Transaction, snapshotId: string, table: TransferTable): Promise<SnapshotTable> {
    const sql = this.copySql(table);
    const omitted = ['group_id', ...(table.omit ?? [])];
    const { pageRows = PAGE } = table;
    let after: Row | null = null;
    for (let page = 0; ; page += 1) {
      const from = after === null ? null : JSON.stringify(after);
      const copied = await this.copyPage(tx, sql, [tx.groupId, from, omitted, pageRows, snapshotId, table.name, page]);
      if (copied === undefined) return { table: table.name, pages: page };
      if (copied.count < pageRows) return { table: table.name, pages: page + 1 };
      after = copied.last;
    }
  }

  private async copyPage(tx: Transaction, sql: string, values: readonly unknown[]): Promise<CopiedPage | undefined> {
    return (await tx.query<CopiedPage>(sql, values))[0];
  }

  /** Copies the page of rows after `$2`, in the order of their keys; without rows it returns none. */
  private copySql({ name, key, only = 'true', instead = {} }: TransferTable): string {
    const replaced = Object.entries(instead).map(([column, sql]) => `'${column}', ${sql}`);
    const keys = key.map((column) => `t.${column}`).join(', ');
    const from = key.map((column) => `a.${column}`).join(', ');
    return `with chosen as (
        select row_number() over (order by ${keys}) as place,
          (to_jsonb(t) - $3::text[]) || jsonb_build_object(${replaced.join(', ')}) as row from ${this.schema}.${name} t
        where t.group_id = $1 and ${only} and ($2::jsonb is null or (${keys}) > (
          select ${from} from jsonb_populate_record(null::${this.schema}.${name}, $2::jsonb) a))
        order by ${keys} limit $4)
      insert into ${this.schema}.export_page (group_id, snapshot_id, table_name, page, rows)
      select $1, $5, $6, $7, jsonb_agg(row order by place) from chosen having count(*) > 0
      returning jsonb_array_length(rows) as count, rows -> -1 as last`;
  }

  private table(name: string): TransferTable {
    const found = this.tables.find((table) => table.name === name);
    if (found === undefined) throw new NotTransferred();
    return found;
  }
}
