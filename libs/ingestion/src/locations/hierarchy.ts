import { posix } from 'node:path';
import type { Location } from './location-tree';

/** A folder where its path says that it belongs. */
export interface Placed extends Location {
  /** Nobody knew of it. */
  readonly isNew: boolean;
}

const above = (path: string): string => {
  const parent = posix.dirname(path);
  return parent === '.' ? '' : parent;
};

/** A path with every one above it, the root first. */
const steps = (path: string): string[] => (path === '' ? [''] : [...steps(above(path)), path]);

const byPath = (known: readonly Location[]): Map<string, Location> => {
  const map = new Map<string, Location>();
  const root = known.find(({ parentCode, relativePath }) => parentCode === null && relativePath === '');
  if (root !== undefined) map.set('', root);
  // Where two folders claim one path, the one that is still there has it, and then the one that came first.
  const ordered = known.toSorted(
    (one, other) =>
      Number(one.removed ?? false) - Number(other.removed ?? false) ||
      one.code.length - other.code.length ||
      (one.code < other.code ? -1 : 1),
  );
  for (const location of ordered) if (!map.has(location.relativePath)) map.set(location.relativePath, location);
  return map;
};

const differs = (before: Location, now: Location): boolean =>
  before.parentCode !== now.parentCode || before.name !== now.name || before.ancestors.join() !== now.ancestors.join();

/**
 * The folders of a root that are not where their paths say, as they should be, parents first: each hangs on the folder of
 * the path above. Folders that documents lie in and nobody knows are new ones. What is right is not among them, so that
 * doing it twice is doing it once.
 */
export const misplaced = (
  known: readonly Location[],
  directories: readonly string[],
  newCode: () => string,
): Placed[] => {
  const registered = byPath(known);
  const paths = new Set([...registered.keys(), ...directories].flatMap(steps));
  const placed = new Map<string, Location>();
  const wrong: Placed[] = [];
  for (const path of [...paths].toSorted((one, other) => steps(one).length - steps(other).length)) {
    const before = registered.get(path);
    const parent = path === '' ? undefined : placed.get(above(path));
    const code = before?.code ?? newCode();
    const now: Location = {
      code,
      parentCode: parent?.code ?? null,
      name: path === '' ? (before?.name ?? '') : posix.basename(path),
      relativePath: path,
      // A scan knows it by its path then.
      device: before?.device ?? 'none',
      inode: before?.inode ?? code,
      ancestors: [...(parent?.ancestors ?? []), code],
    };
    placed.set(path, now);
    if (before === undefined || differs(before, now)) wrong.push({ ...now, isNew: before === undefined });
  }
  return wrong;
};
