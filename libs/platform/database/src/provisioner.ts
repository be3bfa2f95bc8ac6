import type { Pool } from 'pg';
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
  /** Indexes that the partition has beyond its parent's, made while it is empty. */
  readonly indexes: readonly string[];
  /** Lets the app role select from the partition by its name, under the same policy. */
  readonly readableByApp: boolean;
}

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
 * The only definer of tables at run time: makes partitions as the owner role, one at a time, and keeps their
 * statistics where the engine does not do it by itself.
 */
export class Provisioner {
  private readonly pool: Pool;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(owner: DatabaseConnection) {
    this.pool = openPool({ ...owner, max: 1, lane: 'background' });
  }

  /** Makes the partition unless it exists. Safe to repeat and to call at the same time. */
  ensurePartition(partition: Partition): Promise<void> {
    return this.inTurn(async () => {
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

  /** Renews the statistics of a table. */
  analyze(table: string): Promise<void> {
    if (!/^[a-z_]+\.[a-z0-9_]+$/.test(table)) throw new TypeError('A table is named by its schema and name.');
    return this.inTurn(async () => void (await this.pool.query(`analyze ${table}`)));
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.queue.then(work, work);
    this.queue = next.catch(() => undefined);
    return next;
  }
}
