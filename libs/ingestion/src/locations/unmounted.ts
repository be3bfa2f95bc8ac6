import type { FoundFolder, Walk } from '@acervo/files';
import type { Location, Matches } from './location-tree';

const ON_ROOT = 'root';

const foldersWithFiles = (files: Walk['files']): ReadonlySet<FoundFolder> => {
  const withFiles = new Set<FoundFolder>();
  for (const { folder } of files)
    for (let at: FoundFolder | null = folder; at !== null && !withFiles.has(at); at = at.parent) withFiles.add(at);
  return withFiles;
};

/** Folders that are registered as the top of a share: on another device than their parent. */
const topsOf = (registered: readonly Location[]): Location[] => {
  const foreign = registered.filter(({ device, removed }) => device !== ON_ROOT && removed !== true);
  if (foreign.length === 0) return foreign;
  const deviceOf = new Map(registered.map(({ code, device }) => [code, device]));
  return foreign.filter(({ device, parentCode }) => deviceOf.get(parentCode ?? '') !== device);
};

/**
 * Tops of shares that are not mounted now. Such a top is an empty mount point: it is on the device of its parent and
 * contains no file. Or it disappeared with its mount point: users cannot remove the top of a mounted share.
 * Tops that rules exclude from walks are left out, mounted or not.
 */
export const unmountedFolders = (
  registered: readonly Location[],
  matches: Matches,
  { files, leftOut }: Pick<Walk, 'files' | 'leftOut'>,
): Location[] => {
  const tops = topsOf(registered);
  if (tops.length === 0) return [];
  const foundAs = new Map([...matches].map(([folder, location]) => [location, folder]));
  const withFiles = foldersWithFiles(files);
  return tops.filter((location) => {
    const found = foundAs.get(location);
    if (found === undefined) return !leftOut.coversFolder(location.relativePath);
    return found.device === found.parent?.device && !withFiles.has(found);
  });
};

/**
 * Found folders without the content of empty mount points: it is not part of the share, and must not take its place.
 */
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
