import { ownerRole, openPool, type DatabaseConnection } from '@acervo/platform-database';
import type { Pool } from 'pg';

/** A table that migrations filled. */
interface Seeds {
  readonly table: string;
  readonly rows: string;
}

interface Sequence {
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
}

/** The state of one schema after its migrations. */
interface SchemaBaseline {
  readonly tables: readonly string[];
  readonly seeds: readonly Seeds[];
  readonly sequences: readonly Sequence[];
}

/** The content of a database before its first suite, by schema. */
export type Baseline = ReadonlyMap<string, SchemaBaseline>;

type Connect = (role: string) => DatabaseConnection;

/**
 * The table of migrations changes only with the schema, and a suite that changes the schema uses an isolated database.
 */
const TABLES = `
  select c.oid::regclass::text as name, pg_relation_size(c.oid) > 0 as filled, c.relrowsecurity as fenced
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname <> 'migrations'`;

const SEQUENCES = `
  select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name,
    coalesce(last_value, start_value)::text as value, last_value is not null as "isCalled"
  from pg_sequences where schemaname = $1`;

interface Table {
  readonly name: string;
  readonly filled: boolean;
  readonly fenced: boolean;
}

const asOwner = async <T>(connect: Connect, schema: string, work: (pool: Pool) => Promise<T>): Promise<T> => {
  const pool = openPool({ ...connect(ownerRole(schema)), max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
};

const seedsOf = async (pool: Pool, table: string): Promise<Seeds> => {
  const { rows } = await pool.query<{ rows: string }>(`select json_agg(t)::text as rows from ${table} t`);
  return { table, rows: rows[0]?.rows ?? '[]' };
};

const baselineOf = async (pool: Pool, schema: string): Promise<SchemaBaseline> => {
  const { rows: tables } = await pool.query<Table>(TABLES, [schema]);
  const { rows: sequences } = await pool.query<Sequence>(SEQUENCES, [schema]);
  const filled = tables.filter((table) => table.filled);
  const fenced = filled.find((table) => table.fenced);
  if (fenced !== undefined) throw new Error(`${fenced.name} belongs to groups and is filled by a migration.`);
  const seeds: Seeds[] = [];
  for (const { name } of filled) seeds.push(await seedsOf(pool, name));
  return { tables: tables.map(({ name }) => name), seeds, sequences };
};

/** Records the state of these schemas after their migrations. */
export const readBaseline = async (connect: Connect, schemas: readonly string[]): Promise<Baseline> => {
  const found = new Map<string, SchemaBaseline>();
  for (const schema of schemas) found.set(schema, await asOwner(connect, schema, (pool) => baselineOf(pool, schema)));
  return found;
};

/** Statistics outlive `truncate`, and plans of the next suite would depend on the rows of this one. */
const CLEAR_STATISTICS = `
  select pg_clear_attribute_stats($1, c.relname, a.attname, inherited)
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped,
    unnest(array[false, true]) inherited
  where c.oid = any($2::regclass[])`;

const resetSchema = async (pool: Pool, schema: string, baseline: SchemaBaseline): Promise<void> => {
  const { rows: tables } = await pool.query<Table>(TABLES, [schema]);
  const added = tables.filter(({ name }) => !baseline.tables.includes(name)).map(({ name }) => name);
  const filled = tables.filter((table) => table.filled && !added.includes(table.name)).map(({ name }) => name);
  const statements = [
    ...(added.length > 0 ? [`drop table if exists ${added.join(', ')} cascade`] : []),
    ...(filled.length > 0 ? [`truncate ${filled.join(', ')} cascade`] : []),
  ];
  for (const statement of statements) await pool.query(statement);
  await pool.query(CLEAR_STATISTICS, [schema, filled]);
  for (const { table, rows } of baseline.seeds)
    await pool.query(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
      [rows],
    );
  for (const { name, value, isCalled } of baseline.sequences)
    await pool.query('select setval($1::regclass, $2, $3)', [name, value, isCalled]);
};

/** Resets a database to its state after the migrations: drops added tables and restores the rows; none has statistics. */
export const resetTo = async (connect: Connect, baseline: Baseline): Promise<void> => {
  for (const [schema, each] of baseline) await asOwner(connect, schema, (pool) => resetSchema(pool, schema, each));
};
