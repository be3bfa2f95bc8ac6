import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs a statement within the transaction of a migration. */
export type MigrationQuery = <R extends object>(sql: string, params?: readonly unknown[]) => Promise<R[]>;

/**
 * What a migration does to programs that do not know it. `expand`: every older program works on. `contract`: programs
 * before `oldestProgram`, a release, no longer work. Without a declaration every program that does not know it refuses.
 */
export type MigrationEffect =
  | { readonly kind: 'expand' }
  | { readonly kind: 'contract'; readonly oldestProgram: string }
  | { readonly kind?: never };

export type MigrationOptions = MigrationEffect & {
  /** Changes rows in a way that SQL cannot express, in the same transaction. */
  readonly afterwards?: (query: MigrationQuery) => Promise<void>;
};

/** A migration with its declaration; the declaration is null for those that were written before there was one. */
export interface SqlMigration extends MigrationInterface {
  readonly name: string;
  readonly sql: string;
  readonly kind: 'expand' | 'contract' | null;
  readonly oldestProgram: string | null;
}

export type MigrationClass = new () => SqlMigration;

/**
 * The wait of a migration for a lock. While it waits, statements of programs wait behind it. `runMigrations` repeats a
 * migration that did not get its locks.
 */
export const LOCK_TIMEOUT = '2s';

/** Settings of a transaction that the defaults of two columns of `migrations` read: see `run-migrations.ts`. */
export const KIND_SETTING = 'acervo.migration_kind';
export const OLDEST_SETTING = 'acervo.migration_oldest';

const RELEASE = /^\d+\.\d+\.\d+$/;

const declared = (name: string, effect: MigrationEffect): Pick<SqlMigration, 'kind' | 'oldestProgram'> => {
  if (effect.kind !== 'contract') return { kind: effect.kind ?? null, oldestProgram: null };
  const { kind, oldestProgram } = effect;
  if (!RELEASE.test(oldestProgram)) throw new TypeError(`${name} names its oldest program as a release, like 1.2.0.`);
  return { kind, oldestProgram };
};

/**
 * A migration from its SQL, which stays readable on the class. Forward only: the next migration corrects a mistake. The
 * name ends in a timestamp of 13 digits, which orders it.
 */
export const sqlMigration = (name: string, sql: string, options: MigrationOptions = {}): MigrationClass => {
  if (!/^[A-Za-z]+\d{13}$/.test(name)) throw new TypeError(`${name} must be letters and a time stamp of 13 digits.`);
  const { kind, oldestProgram } = declared(name, options);
  return class implements SqlMigration {
    readonly name = name;
    readonly sql = sql;
    readonly kind = kind;
    readonly oldestProgram = oldestProgram;
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
      await runner.query(`select set_config('${KIND_SETTING}', $1, true), set_config('${OLDEST_SETTING}', $2, true)`, [
        kind ?? '',
        oldestProgram ?? '',
      ]);
      await runner.query(sql);
      await options.afterwards?.((statement, params) =>
        runner.query(statement, params === undefined ? undefined : [...params]),
      );
    }
    down(): Promise<void> {
      return Promise.reject(new Error(`${name} cannot be reverted; write a migration that repairs it.`));
    }
  };
};
