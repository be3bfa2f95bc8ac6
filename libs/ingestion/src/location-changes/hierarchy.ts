import { posix } from 'node:path';
import type { Location } from '../locations/location-tree';

/** A folder in the place that its path names. */
export interface Placed extends Location {
  /** It was not registered. */
  readonly isNew: boolean;
}

const above = (path: string): string => {
  const parent = posix.dirname(path);
  return parent === '.' ? '' : parent;
};

/** A path with every one above it, the root first. */
const steps = (path: string): string[] => (path === '' ? [''] : [...steps(above(path)), path]);

const byPath = (locations: readonly Location[]): Map<string, Location> => {
  const map = new Map<string, Location>();
  const root = locations.find(({ parentCode, relativePath }) => parentCode === null && relativePath === '');
  if (root !== undefined) map.set('', root);
  // Of two folders with one path, the one that is not removed wins, then the one with the lower code.
  const ordered = locations.toSorted(
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
 * The misplaced folders of a root in their right places, parents first: each belongs to the folder of the path above.
 * Unregistered folders of documents are new ones.
 * Correct folders are left out, so a repair is idempotent.
 */
export const misplaced = (
  locations: readonly Location[],
  directories: readonly string[],
  newCode: () => string,
): Placed[] => {
  const registered = byPath(locations);
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
      // A scan recognises the folder by its path.
      device: before?.device ?? 'none',
      inode: before?.inode ?? code,
      ancestors: [...(parent?.ancestors ?? []), code],
    };
    placed.set(path, now);
    if (before === undefined || differs(before, now)) wrong.push({ ...now, isNew: before === undefined });
  }
  return wrong;
};
