import type { Pool } from 'pg';
import { Mutex } from '@acervo/platform-resilience';
import { appRole } from './bootstrap';
import { type DatabaseConnection, openPool } from './connection';
import { forceRowSecurity } from './tenancy';

/** A partition of a table that is partitioned by a list. */
export interface Partition {
  readonly schema: string;
  readonly parent: string;
  readonly name: string;
  /** Column of the list and the one value of this partition. */
  readonly key: { readonly column: string; readonly value: number };
  /** Indexes of the partition beside its parent's, created while it is empty. */
  readonly indexes: readonly string[];
  /** Lets the app role select from the partition by its name, under the same policy. */
  readonly readableByApp: boolean;
}

/** An index of a table that has rows. */
export interface TableIndex {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  /** Method and columns. */
  readonly using: string;
}

/** How long an index waits for the writers of its table; the next attempt comes later. */
const LONGEST_LOCK_WAIT = '2s';
const LOCK_NOT_AVAILABLE = '55P03';

const IDENTIFIER = /^[a-z][a-z0-9_]{0,50}$/;

const partitionSql = ({ schema, parent, name, key, indexes, readableByApp }: Partition): string => {
  for (const word of [schema, parent, name, key.column])
    if (!IDENTIFIER.test(word)) throw new TypeError('A partition is named by plain lower-case identifiers.');
  if (!Number.isSafeInteger(key.value)) throw new TypeError('A bucket is a whole number.');
  const table = `${schema}.${name}`;
  return `
create table ${table} (like ${schema}.${parent} including all);
alter table ${table} add constraint ${name}_bucket check (${key.column} = ${key.value});
${indexes.join(';\n')};
${readableByApp ? `${forceRowSecurity(table)} grant select on ${table} to ${appRole(schema)};` : ''}
alter table ${schema}.${parent} attach partition ${table} for values in (${key.value});`;
};

/**
 * The only class that creates tables at run time. It creates partitions and indexes as the owner role, one at a time, and
 * analyzes them where the engine does not do so by itself.
 */
export class Provisioner {
  private readonly pool: Pool;
  private readonly mutex = new Mutex();

  constructor(owner: DatabaseConnection) {
    this.pool = openPool({ ...owner, max: 1, priority: 'background' });
  }

  /** Creates the partition unless it exists. Idempotent, also for concurrent calls. */
  ensurePartition(partition: Partition): Promise<void> {
    return this.mutex.run(async () => {
      const found = await this.pool.query('select to_regclass($1) is not null as there', [
        `${partition.schema}.${partition.name}`,
      ]);
      if (found.rows[0].there === true) return;
      await this.pool.query(`begin; ${partitionSql(partition)}; commit`).catch(async (error: unknown) => {
        await this.pool.query('rollback');
        if ((error as { code?: string }).code !== '42P07') throw error;
      });
    });
  }

  /**
   * Creates an index unless it exists. Writers of the table wait until it is built, readers do not. Idempotent, also for
   * concurrent calls. Answers whether it exists: not where writers hold the table for two seconds.
   */
  ensureIndex({ schema, table, name, using }: TableIndex): Promise<boolean> {
    for (const word of [schema, table, name])
      if (!IDENTIFIER.test(word)) throw new TypeError('An index is named by plain lower-case identifiers.');
    const create = `create index if not exists ${name} on ${schema}.${table} using ${using}`;
    return this.mutex.run(async () => {
      try {
        await this.pool.query(`begin; set local lock_timeout = '${LONGEST_LOCK_WAIT}'; ${create}; commit`);
        return true;
      } catch (error) {
        await this.pool.query('rollback');
        if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
        return false;
      }
    });
  }

  /** Analyzes a table. */
  analyze(table: string): Promise<void> {
    if (!/^[a-z_]+\.[a-z0-9_]+$/.test(table)) throw new TypeError('A table is named by its schema and name.');
    return this.mutex.run(async () => void (await this.pool.query(`analyze ${table}`)));
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
