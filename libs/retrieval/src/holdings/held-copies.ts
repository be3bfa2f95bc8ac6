import type { FoundCopies } from '../copies/chunk-copies';

/** Rows of a generation in a table, of which each ordinal stands once. */
export interface Rows {
  readonly generation: number;
  readonly rows: number;
  /** The highest ordinal; -1 without rows. */
  readonly last: number;
}

/** How far copies and chunks of a document are apart, at least. */
export interface CopyDifference {
  readonly copiesMissing: number;
  readonly copiesExtra: number;
}

/** Copies that lie beyond the last chunk, at least: those before it are no more than there are chunks. */
const extraIn = ({ count, last }: FoundCopies, rows: Rows): number =>
  Math.max(count - rows.rows, last > rows.last ? 1 : 0, 0);

const whole = (generation: number, rows: readonly Rows[]): Rows =>
  rows
    .filter((each) => each.generation === generation)
    .reduce((most, each) => (each.rows > most.rows ? each : most), { generation, rows: 0, last: -1 });

/**
 * Compares the copies of a document with its chunks in all spaces, and those that are searched with their copies. As
 * an ordinal stands once on each side, as many up to the same last one are the same. Where several are over, ones that
 * are missing may show only once those are gone.
 */
export const copyDifference = (
  found: readonly FoundCopies[],
  chunks: readonly Rows[],
  searched: Rows | undefined,
): CopyDifference => {
  const extra = found.map((copies) => extraIn(copies, whole(copies.generation, chunks)));
  const copiesExtra = extra.reduce((sum, each) => sum + each, 0);
  if (searched === undefined) return { copiesMissing: 0, copiesExtra };
  const copies = found.find(({ generation }) => generation === searched.generation);
  const within = copies === undefined ? 0 : copies.count - extraIn(copies, searched);
  return { copiesMissing: Math.max(0, searched.rows - within), copiesExtra };
};
