import type { FoundFolder, Walk } from '../files/walk';
import type { Location, Matches } from './location-tree';

const ON_ROOT = 'root';

const foldersWithFiles = (files: Walk['files']): ReadonlySet<FoundFolder> => {
  const holding = new Set<FoundFolder>();
  for (const { folder } of files)
    for (let at: FoundFolder | null = folder; at !== null && !holding.has(at); at = at.parent) holding.add(at);
  return holding;
};

/**
 * Registered folders whose share is not there now. Each lay on a device of its own, and is a folder of the root's
 * device without any file now, which is what a mount point is without its share, or is gone with its mount point:
 * nobody removes the top of a share that is mounted. None is where rules keep walks out, mounted or not.
 */
export const unmountedFolders = (
  registered: readonly Location[],
  matches: Matches,
  { files, leftOut }: Pick<Walk, 'files' | 'leftOut'>,
): Location[] => {
  const foreign = registered.filter(({ device, removed }) => device !== ON_ROOT && removed !== true);
  if (foreign.length === 0) return [];
  const foundAs = new Map([...matches].map(([folder, location]) => [location, folder]));
  const deviceOf = new Map(registered.map(({ code, device }) => [code, device]));
  const holding = foldersWithFiles(files);
  return foreign.filter((location) => {
    const found = foundAs.get(location);
    if (found === undefined)
      return (
        deviceOf.get(location.parentCode ?? '') !== location.device && !leftOut.coversFolder(location.relativePath)
      );
    return found.device === ON_ROOT && !holding.has(found);
  });
};
