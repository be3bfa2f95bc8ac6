import type { ExportedGroup, Rows } from './export-file';

type Row = Rows[string][number];

/** A group without references between its parts that lead nowhere, and how many rows that left out. */
export interface FittingGroup {
  readonly group: ExportedGroup;
  readonly leftOut: number;
}

const valuesOf = (rows: readonly Row[], column: string): ReadonlySet<unknown> =>
  new Set(rows.map((row) => row[column]));

/** The rows of these tables whose value in a column is known; other tables unchanged. */
const filtered = (part: Rows, tables: readonly string[], fits: (row: Row) => boolean): Rows => ({
  ...part,
  ...Object.fromEntries(
    tables.flatMap((table) => (part[table] === undefined ? [] : [[table, part[table].filter(fits)] as const])),
  ),
});

const countOf = (part: Rows): number => Object.values(part).reduce((sum, rows) => sum + rows.length, 0);

/**
 * People and folders are exported as of two moments. What came or went in between is left out: folders of an entity
 * that the people lack, then links to folders that are missing. A later folder with the same code must not inherit
 * them.
 */
export const fittingRows = (group: ExportedGroup): FittingGroup => {
  const entities = valuesOf(group.people['entity'] ?? [], 'code');
  const folders = filtered(group.folders, ['location', 'document'], (row) => entities.has(row['entity_code']));
  const codes = valuesOf(folders['location'] ?? [], 'code');
  const people = filtered(group.people, ['area_location'], (row) => codes.has(row['location_code']));
  const rows = countOf(group.people) + countOf(group.folders);
  return { group: { ...group, people, folders }, leftOut: rows - countOf(people) - countOf(folders) };
};
