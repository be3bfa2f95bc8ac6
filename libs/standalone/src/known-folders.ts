import type { DataDirectory } from './data-directory';
import type { Say } from './intake';
import type { StartOptions } from './options';

/** The folders of a group that are scanned and watched, links resolved. The data directory is that of the first group. */
export interface KnownFolders {
  readonly folders: readonly string[];
  /** Answers the path by which the folder is known from now on. */
  remember(folder: string): string;
  forget(folder: string): void;
}

/** The folders of any other group: all were added over the network, so that the group itself tells a later start. */
export class AddedFolders implements KnownFolders {
  private readonly paths = new Set<string>();

  get folders(): readonly string[] {
    return [...this.paths];
  }

  remember(folder: string): string {
    this.paths.add(folder);
    return folder;
  }

  forget(folder: string): void {
    this.paths.delete(folder);
  }
}

/** Remembers the folders of this start: the one that was named; the sample where there is none at all, saying so. */
export const rememberFolders = (directory: DataDirectory, { folder, sample }: StartOptions, say: Say): void => {
  if (folder !== null) return void directory.remember(folder);
  if (directory.folders.length > 0) return;
  directory.remember(sample);
  say('No folder was named, so the sample library is taken in. Yours: npm start -- /path/to/folder');
};
