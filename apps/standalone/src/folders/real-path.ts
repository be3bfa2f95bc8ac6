import { realpathSync } from 'node:fs';

/** A path with links resolved, as scans record folders; a path that cannot be resolved stays unchanged. */
export const realOf = (path: string): string => {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
};
