import type { Database, Transaction } from '@acervo/platform-database';
import type { LegStatement } from '../src/legs/leg-sql';

/** A node of a plan with what it did. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const explain = async (tx: Transaction, sql: string, params: readonly unknown[] = []): Promise<readonly PlanNode[]> => {
  const [row] = await tx.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `explain (analyze, timing off, format json) ${sql}`,
    params,
  );
  return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan));
};

/** A transaction that adds the nodes of the plans of its statements. */
export const explaining = (tx: Transaction, nodes: PlanNode[]): Transaction => ({
  groupId: tx.groupId,
  query: async (sql, params) => {
    nodes.push(...(await explain(tx, sql, params)));
    return tx.query(sql, params);
  },
  prepared: async (sql, params) => {
    nodes.push(...(await explain(tx, sql, params)));
    return tx.prepared(sql, params);
  },
});

/** The nodes of the plan of a statement that was run, under the settings of its transaction. */
export const executed = async (
  database: Database,
  groupId: string,
  { sql, params, local }: LegStatement,
): Promise<readonly PlanNode[]> => database.read({ groupId }, (tx) => explain(tx, sql, params), local);

/** The rows that the scans of a table read, and those that they rejected; the same on every machine. */
export const rowsRead = (nodes: readonly PlanNode[], table: string): number =>
  nodes
    .filter((node) => node['Relation Name'] === table)
    .reduce(
      (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    );
