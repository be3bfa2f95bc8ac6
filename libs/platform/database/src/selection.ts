import type { Transaction } from './transactions';

/** Rows of one table: the table with an alias, and the condition. Both stand in `select`, `update` and `delete`. */
export interface SelectedRows {
  readonly from: string;
  readonly where: string;
}

/**
 * The rows that an operation affects, by kind. Its preview counts these rows; its execution changes them or is refused
 * because of them.
 */
export interface Selection<Kind extends string> {
  readonly rows: Readonly<Record<Kind, SelectedRows>>;
  /** Every condition uses all parameters, so each can be executed alone. */
  readonly params: readonly unknown[];
}

/** The number of selected rows of each kind, by one statement. */
export const countSelected = async <Kind extends string>(
  tx: Transaction,
  { rows, params }: Selection<Kind>,
): Promise<Record<Kind, number>> => {
  const counts = Object.entries<SelectedRows>(rows).map(
    ([kind, { from, where }]) => `(select count(*)::int from ${from} where ${where}) as "${kind}"`,
  );
  const [row] = await tx.query<Record<Kind, number>>(`select ${counts.join(', ')}`, params);
  if (row === undefined) throw new Error('A statement of counts answered no row.');
  return row;
};
