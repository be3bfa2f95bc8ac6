import type { FoundCopies } from '../legs/opensearch/copies/chunk-copies';

/** Rows of a generation in a table; each ordinal occurs once. */
export interface Rows {
  readonly generation: number;
  readonly rows: number;
  /** The highest ordinal; -1 without rows. */
  readonly last: number;
}

/** Lower bounds for the difference between copies and chunks of a document. */
export interface CopyDifference {
  readonly copiesMissing: number;
  readonly copiesExtra: number;
}

/** A lower bound for copies without a chunk: copies beyond the number of chunks, or beyond the last one. */
const extraIn = ({ count, last }: FoundCopies, rows: Rows): number =>
  Math.max(count - rows.rows, last > rows.last ? 1 : 0, 0);

const whole = (generation: number, rows: readonly Rows[]): Rows =>
  rows
    .filter((each) => each.generation === generation)
    .reduce((most, each) => (each.rows > most.rows ? each : most), { generation, rows: 0, last: -1 });

/**
 * Compares the copies of a document with its chunks in all embedding indexes, and the searched chunks with their
 * copies. Each ordinal occurs once on each side, so equal counts up to the same last ordinal are equal sets. Among
 * several extra copies, missing ones may show only once the extra ones are gone.
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
