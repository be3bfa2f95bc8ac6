/** The assignments of an update, and their parameters. */
export interface Assignments {
  readonly sql: readonly string[];
  readonly params: readonly unknown[];
}

/**
 * Assigns values to columns; a column without a value stays, null clears it.
 * @param first number of the first parameter
 */
export const assignmentsOf = (columns: Readonly<Record<string, unknown>>, first: number): Assignments => {
  const assigned = Object.entries(columns).filter(([, value]) => value !== undefined);
  return {
    sql: assigned.map(([column], place) => `${column} = $${first + place}`),
    params: assigned.map(([, value]) => value),
  };
};
