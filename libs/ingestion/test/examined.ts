import type { Database, Transaction } from '@acervo/platform-database';

/** A node of a plan with what it did. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
}

/** What the engine examined for one statement; the same on every machine. */
export interface Examined {
  readonly sql: string;
  /** Rows that the nodes of the plan answered or rejected. */
  readonly rows: number;
  /** Blocks of tables and indexes, each as often as it was visited. */
  readonly blocks: number;
}

const rowsOf = (node: PlanNode): number => {
  const rejected =
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return (node.Plans ?? []).reduce(
    (sum, each) => sum + rowsOf(each),
    (node['Actual Rows'] + rejected) * node['Actual Loops'],
  );
};

const examine = async (tx: Transaction, sql: string, params: readonly unknown[] = []): Promise<Examined> => {
  const [row] = await tx.query<Explained>(`explain (analyze, buffers, timing off, format json) ${sql}`, params);
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error(`There is no plan of ${sql}`);
  return { sql, rows: rowsOf(plan), blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
};

/** What the engine examines for each statement that some work reads with, under the settings of its transaction. */
export const examinedBy = async (database: Database, work: () => Promise<unknown>): Promise<readonly Examined[]> => {
  const found: Examined[] = [];
  const read = database.read.bind(database);
  const watched = (tx: Transaction): Transaction => ({
    groupId: tx.groupId,
    query: async (sql, params) => {
      found.push(await examine(tx, sql, params));
      return tx.query(sql, params);
    },
    prepared: async (sql, params) => {
      found.push(await examine(tx, sql, params));
      return tx.prepared(sql, params);
    },
  });
  const spy = jest
    .spyOn(database, 'read')
    .mockImplementation((scope, use, local) => read(scope, (tx) => use(watched(tx)), local));
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return found;
};
