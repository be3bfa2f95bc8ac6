type Row = Readonly<Record<string, unknown>>;

/** Tables whose rows refer to each other: the column that identifies a row, and the column of its parent. */
const TREES: Readonly<Record<string, readonly [name: string, parent: string]>> = {
  area: ['code', 'parent_code'],
  location: ['code', 'parent_code'],
  document: ['document_id', 'parent_id'],
  document_type: ['code', 'parent_code'],
};

/** The rows of a table, with each parent before its children. */
export const parentsFirst = (table: string, rows: readonly Row[]): Row[] => {
  const tree = TREES[table];
  if (tree === undefined) return [...rows];
  const [name, parent] = tree;
  const below = new Map<unknown, Row[]>();
  const names = new Set(rows.map((row) => row[name]));
  for (const row of rows) {
    const key = names.has(row[parent]) ? row[parent] : null;
    const siblings = below.get(key);
    if (siblings === undefined) below.set(key, [row]);
    else siblings.push(row);
  }
  const ordered: Row[] = [];
  for (let level = below.get(null) ?? []; level.length > 0; level = level.flatMap((row) => below.get(row[name]) ?? []))
    ordered.push(...level);
  return ordered;
};
