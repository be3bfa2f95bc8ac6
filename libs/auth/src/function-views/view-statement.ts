import { isDeepStrictEqual } from 'node:util';
import { MOST_CHARACTERS } from './grammar';
import { assertView, type Fields, partsOf, type TreeNode } from './view-check';
import { ViewRefused } from './view.errors';

/** Places in the text that a node was read from; they say nothing about what it means. */
const PLACES = new Set(['location', 'list_start', 'list_end', 'rexpr_list_start', 'rexpr_list_end']);

/** A tree without places. @throws RangeError for one that is nested beyond the stack */
const withoutPlaces = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !PLACES.has(name));
  return Object.fromEntries(fields.map(([name, content]) => [name, withoutPlaces(content)]));
};

/** The only statement of a text. @throws ViewRefused */
const parsed = async (text: string): Promise<unknown> => {
  // The parser ends at a NUL, so that what follows would not be seen. Line ends are the only control characters.
  if (text.length > MOST_CHARACTERS || /[^\P{C}\n]/u.test(text)) throw new ViewRefused('TEXT');
  // The parser is a program of 1.7 MB that only views need.
  const { parse } = await import('libpg-query');
  const { stmts = [] } = await parse(text).catch(() => {
    throw new ViewRefused('SYNTAX');
  });
  const [first, ...rest] = stmts;
  if (first === undefined || rest.length > 0) throw new ViewRefused('STATEMENT');
  return withoutPlaces(first.stmt);
};

/** A view as text, written from its tree. The tree passed `assertView`. */
export const textOfView = async (tree: TreeNode): Promise<string> => {
  // Half a megabyte that only views need.
  const { deparseSync } = await import('pgsql-deparser');
  return deparseSync(tree as Parameters<typeof deparseSync>[0]);
};

/**
 * A view of a tree that was stored or parsed, checked, with the text to run: written from the tree, and read again as
 * the same tree.
 * @throws ViewRefused
 */
export const checkedView = async (tree: unknown): Promise<CheckedView> => {
  assertView(tree);
  const checked = tree as TreeNode;
  const text = await textOfView(checked);
  if (!isDeepStrictEqual(await parsed(text), checked)) throw new ViewRefused('RENDERING');
  return { tree: checked, text, columns: columnNames(checked) };
};

export interface CheckedView {
  readonly tree: TreeNode;
  readonly text: string;
  readonly columns: readonly string[];
}

/** A proposed statement as a view. @throws ViewRefused */
export const readView = async (text: string): Promise<CheckedView> => checkedView(await parsed(text));

const nameOfTarget = (target: unknown): string => {
  const [, { name, val }] = partsOf(target);
  if (typeof name === 'string') return name;
  const [kind, fields] = partsOf(val);
  if (kind !== 'ColumnRef') throw new ViewRefused('NAME');
  const [, { sval }] = partsOf((fields['fields'] as readonly unknown[]).at(-1));
  return String(sval);
};

/** The names of its columns. @throws ViewRefused where one has no name of its own */
const columnNames = (tree: TreeNode): readonly string[] => {
  const [, { targetList }]: readonly [string, Fields] = partsOf(tree);
  const names = (targetList as readonly unknown[]).map(nameOfTarget);
  if (new Set(names).size < names.length) throw new ViewRefused('NAME');
  return names;
};
