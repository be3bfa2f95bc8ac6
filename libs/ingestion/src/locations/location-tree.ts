import type { FoundFolder } from '@acervo/files';

/** A registered folder of a root. */
export interface Location {
  readonly code: string;
  readonly parentCode: string | null;
  readonly name: string;
  readonly relativePath: string;
  readonly device: string;
  readonly inode: string;
  /** Codes from the root down, its own included. */
  readonly ancestors: readonly string[];
  /** The last scan did not find it. */
  readonly removed?: boolean;
}

/** The registered folder of each found one; a found folder without one is new. */
export type Matches = ReadonlyMap<FoundFolder, Location>;

const identity = ({ device, inode }: Pick<FoundFolder, 'device' | 'inode'>): string => `${device}:${inode}`;

/**
 * Matches folders by device and inode within their root, wherever they moved and whatever their name is now. Some file
 * systems number inodes again at each mount: an unmatched folder is recognised by its path.
 */
export const matchFolders = (registered: readonly Location[], found: readonly FoundFolder[]): Matches => {
  const matches = new Map<FoundFolder, Location>();
  const free = new Set(registered);
  const claim = (folder: FoundFolder, location: Location | undefined): void => {
    if (location === undefined || !free.delete(location)) return;
    matches.set(folder, location);
  };
  const root = registered.find(({ parentCode }) => parentCode === null);
  const byIdentity = new Map(registered.filter((location) => location !== root).map((each) => [identity(each), each]));
  for (const folder of found) claim(folder, folder.parent === null ? root : byIdentity.get(identity(folder)));
  const byPath = new Map([...free].map((location) => [location.relativePath, location]));
  for (const folder of found) if (!matches.has(folder)) claim(folder, byPath.get(folder.path));
  return matches;
};

/** Found folders as locations, parents first. `newCode` answers the code of each new folder. */
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

/** Whether the registered folder differs from the found one. */
export const hasChanged = (before: Location, now: Location): boolean =>
  before.removed === true ||
  before.parentCode !== now.parentCode ||
  before.relativePath !== now.relativePath ||
  before.device !== now.device ||
  before.inode !== now.inode ||
  before.ancestors.join() !== now.ancestors.join();
