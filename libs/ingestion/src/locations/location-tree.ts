import type { FoundFolder } from '../files/walk';

/** A folder of a root as it is registered. */
export interface Location {
  readonly code: string;
  readonly parentCode: string | null;
  readonly name: string;
  readonly relativePath: string;
  readonly device: string;
  readonly inode: string;
  /** Codes from the root down, its own included. */
  readonly ancestors: readonly string[];
  /** It was not found the last time. */
  readonly removed?: boolean;
}

/** Which registered folder each found one is; a folder that is missing here is new. */
export type Matches = ReadonlyMap<FoundFolder, Location>;

const identity = ({ device, inode }: Pick<FoundFolder, 'device' | 'inode'>): string => `${device}:${inode}`;

/**
 * A folder is its device and inode within its root, wherever it was moved and whatever it is called now. Some file
 * systems number inodes anew at each mount: a folder that nothing else claims is known by its path then.
 */
export const matchFolders = (known: readonly Location[], found: readonly FoundFolder[]): Matches => {
  const matches = new Map<FoundFolder, Location>();
  const free = new Set(known);
  const claim = (folder: FoundFolder, location: Location | undefined): void => {
    if (location === undefined || !free.delete(location)) return;
    matches.set(folder, location);
  };
  const root = known.find(({ parentCode }) => parentCode === null);
  const byIdentity = new Map(known.filter((location) => location !== root).map((each) => [identity(each), each]));
  for (const folder of found) claim(folder, folder.parent === null ? root : byIdentity.get(identity(folder)));
  const byPath = new Map([...free].map((location) => [location.relativePath, location]));
  for (const folder of found) if (!matches.has(folder)) claim(folder, byPath.get(folder.path));
  return matches;
};

/** Found folders as locations, parents first. `newCode` gives the next code for each folder that is new. */
export const placeFolders = (
  found: readonly FoundFolder[],
  matches: Matches,
  newCode: () => string,
): ReadonlyMap<FoundFolder, Location> => {
  const placed = new Map<FoundFolder, Location>();
  for (const folder of found) {
    const parent = folder.parent === null ? undefined : placed.get(folder.parent);
    const code = matches.get(folder)?.code ?? newCode();
    placed.set(folder, {
      code,
      parentCode: parent?.code ?? null,
      name: folder.name,
      relativePath: folder.path,
      device: folder.device,
      inode: folder.inode,
      ancestors: [...(parent?.ancestors ?? []), code],
    });
  }
  return placed;
};

/** Whether what is registered of a folder is no longer so. */
export const hasChanged = (before: Location, now: Location): boolean =>
  before.removed === true ||
  before.parentCode !== now.parentCode ||
  before.relativePath !== now.relativePath ||
  before.device !== now.device ||
  before.inode !== now.inode ||
  before.ancestors.join() !== now.ancestors.join();
