import type { DataDirectory } from '../resources/data-directory';
import type { Print } from '../kernel/print';
import type { StartOptions } from '../kernel/options';
import type { FolderViews } from './watch/folder-views';

/**
 * The folders of a group that are scanned and watched, links resolved. The data directory implements it for the first
 * group.
 */
export interface KnownFolders {
  readonly folders: readonly string[];
  /** Records a folder, with links resolved, and returns it. */
  remember(folder: string): string;
  forget(folder: string): void;
}

/** The folders of any other group. All were added over HTTP, so that later starts read them from the database. */
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

/** Records the folder that the user named. Without any folder it records the sample, and prints a message. */
export const rememberFolders = async (
  directory: DataDirectory,
  { folder, sample }: StartOptions,
  views: FolderViews,
  print: Print,
): Promise<void> => {
  await directory.resolveFolders((recorded) => views.realOf(recorded));
  if (folder !== null) return void directory.remember(await views.realOf(folder));
  if (directory.folders.length > 0) return;
  directory.remember(await views.realOf(sample));
  print('No folder was named, so the sample library is ingested. For your documents: npm start -- /path/to/folder');
};
