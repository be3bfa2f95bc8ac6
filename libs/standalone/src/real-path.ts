import { realpathSync } from 'node:fs';

/** A path without links, as scans know folders; one that cannot be resolved now stays as it is. */
export const realOf = (path: string): string => {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
};
