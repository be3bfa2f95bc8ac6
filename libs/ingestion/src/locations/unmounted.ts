import type { FoundFolder, Walk } from '../files/walk';
import type { Location, Matches } from './location-tree';

const ON_ROOT = 'root';

const foldersWithFiles = (files: Walk['files']): ReadonlySet<FoundFolder> => {
  const holding = new Set<FoundFolder>();
  for (const { folder } of files)
    for (let at: FoundFolder | null = folder; at !== null && !holding.has(at); at = at.parent) holding.add(at);
  return holding;
};

/** The folders that were registered as the top of a share: on another device than the folder that they lie in. */
const topsOf = (registered: readonly Location[]): Location[] => {
  const foreign = registered.filter(({ device, removed }) => device !== ON_ROOT && removed !== true);
  if (foreign.length === 0) return foreign;
  const deviceOf = new Map(registered.map(({ code, device }) => [code, device]));
  return foreign.filter(({ device, parentCode }) => deviceOf.get(parentCode ?? '') !== device);
};

/**
 * Tops of shares that are not there now. Each is on the device of the folder that it lies in and holds no file, which
 * is what a mount point is without its share, or is gone with its mount point: nobody removes the top of a share that
 * is mounted. None is where rules keep walks out, mounted or not.
 */
export const unmountedFolders = (
  registered: readonly Location[],
  matches: Matches,
  { files, leftOut }: Pick<Walk, 'files' | 'leftOut'>,
): Location[] => {
  const tops = topsOf(registered);
  if (tops.length === 0) return [];
  const foundAs = new Map([...matches].map(([folder, location]) => [location, folder]));
  const holding = foldersWithFiles(files);
  return tops.filter((location) => {
    const found = foundAs.get(location);
    if (found === undefined) return !leftOut.coversFolder(location.relativePath);
    return found.device === found.parent?.device && !holding.has(found);
  });
};

/** Found folders without those in empty mount points, which are none of the share: they must not take its place. */
export const withoutMountPoints = (
  folders: readonly FoundFolder[],
  matches: Matches,
  unmounted: readonly Location[],
): readonly FoundFolder[] => {
  if (unmounted.length === 0) return folders;
  const left = new Set<FoundFolder>();
  for (const folder of folders) {
    const around = folder.parent;
    if (around === null) left.add(folder);
    else if (left.has(around) && !unmounted.some((location) => location === matches.get(around))) left.add(folder);
  }
  return [...left];
};
