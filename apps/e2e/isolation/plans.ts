import { services } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { boundBy } from './conditions';
import type { Installation } from './installation';
import { withoutRowSecurity } from './row-security';
import { predicatesIn, withoutAny, withoutOne } from './statements';

/** One node of a plan of the engine. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly Schema?: string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly Plans?: readonly PlanNode[];
  readonly [detail: string]: unknown;
}

/** Keys of a node with conditions on its rows. */
const CONDITION = /(Cond|Filter)$/;

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Conditions of all nodes. The scan of a bitmap repeats the conditions of its parts together. */
const conditionsIn = (nodes: readonly PlanNode[]): string[] =>
  nodes
    .filter((node) => node['Node Type'] !== 'Bitmap Index Scan')
    .flatMap((node) => Object.entries(node))
    .flatMap(([name, value]) => (CONDITION.test(name) && typeof value === 'string' ? [value] : []));

const TENANT_RELATIONS = `
select format('%s.%s', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any($1::text[]) and (c.relforcerowsecurity or exists (
  select from pg_partition_ancestors(c.oid) a join pg_class p on p.oid = a.relid where p.relforcerowsecurity))`;

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
}

/** The tables with row level security in a plan, and those that no condition binds to a group. */
interface Reads {
  readonly all: readonly string[];
  readonly unbound: readonly string[];
}

/** Nested loops, which show a condition at the table that it binds, however few rows the tables have. */
const NESTED_LOOPS = `select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;

const readsOf = async (tx: Transaction, sql: string, tenant: ReadonlySet<string>): Promise<Reads> => {
  await tx.query(NESTED_LOOPS);
  const [explained] = await tx.query<Explained>(`explain (verbose, generic_plan, format json) ${sql}`);
  const nodes = (explained?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan));
  const bound = boundBy(conditionsIn(nodes));
  const scans = nodes
    .filter((node) => node['Node Type'].endsWith('Scan'))
    .map((node) => ({ name: `${node.Schema}.${node['Relation Name']}`, alias: node.Alias ?? '' }))
    .filter(({ name }) => tenant.has(name));
  const names = (of: typeof scans): string[] => [...new Set(of.map(({ name }) => name))];
  return { all: names(scans), unbound: names(scans.filter(({ alias }) => !bound.has(alias))) };
};

const READS_OR_WRITES = /^\s*(select|insert|update|delete|with)\b/i;

/** The schema of a statement; a service reads only its own. */
const schemaOf = (sql: string): string | undefined =>
  READS_OR_WRITES.test(sql) ? services.find((service) => sql.includes(`${service}.`)) : undefined;

export interface Unbound {
  readonly sql: string;
  /** Tables whose rows of other groups the statement reads without row level security. */
  readonly tables: readonly string[];
}

export interface PlanMutants {
  readonly mutants: number;
  /** Mutants without effect, because the statement names the group twice. */
  readonly doubled: number;
  /** Mutants that no plan reveals. */
  readonly missed: readonly string[];
}

/** Inspects plans without row level security, so that only the conditions of the statement bind a table to a group. */
export class Plans {
  private constructor(
    private readonly installation: Installation,
    private readonly tenant: ReadonlySet<string>,
  ) {}

  static async of(installation: Installation): Promise<Plans> {
    const rows = await installation
      .owner('auth')
      .ungrouped((tx) => tx.query<{ name: string }>(TENANT_RELATIONS, [services]));
    return new Plans(installation, new Set(rows.map(({ name }) => name)));
  }

  /**
   * Tables with row level security that a statement reads without naming the group. Requires row level security to be
   * off.
   */
  async unbound(sql: string): Promise<readonly string[]> {
    return (await this.reads(sql)).unbound;
  }

  private async reads(sql: string): Promise<Reads> {
    const schema = schemaOf(sql);
    if (schema === undefined) return { all: [], unbound: [] };
    return this.installation.owner(schema).ungrouped((tx) => readsOf(tx, sql, this.tenant));
  }

  /** The statements that rely on row level security. */
  unboundOf(statements: Iterable<string>): Promise<Unbound[]> {
    return withoutRowSecurity(this.installation, async () => {
      const found: Unbound[] = [];
      for (const sql of statements) {
        const tables = await this.unbound(sql);
        if (tables.length > 0) found.push({ sql, tables });
      }
      return found;
    });
  }

  /** Removes each predicate of the statements in turn; returns the effect of each mutant. */
  mutants(statements: Iterable<string>): Promise<PlanMutants> {
    return withoutRowSecurity(this.installation, async () => {
      const found = { mutants: 0, doubled: 0, missed: [] as string[] };
      for (const sql of statements) {
        if ((await this.reads(sql)).all.length === 0) continue;
        for (let place = 0; place < predicatesIn(sql); place += 1) {
          found.mutants += 1;
          if ((await this.unbound(withoutOne(sql, place))).length > 0) continue;
          // A second predicate binds the same table: only removing both loses the binding.
          if ((await this.unbound(withoutAny(sql))).length > 0) found.doubled += 1;
          else found.missed.push(`${place} ${sql}`);
        }
      }
      return found;
    });
  }
}
