import { realpath } from 'node:fs/promises';
import { isAbsolute, normalize, relative, sep } from 'node:path';
import { FolderNotOpen } from './location.errors';
import { resolveRoot, type RootFolder } from './root-folder';

interface Opened {
  readonly groupCode: string;
  readonly path: string;
}

const isWithin = (outer: string, path: string): boolean =>
  path === outer || path.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);

const readEntry = (entry: string): Opened => {
  const [, groupCode, path] = /^([^=\s]+)=(.+)$/.exec(entry.trim()) ?? [];
  if (groupCode === undefined || path === undefined || !isAbsolute(path))
    throw new Error(
      'ACERVO_FOLDER_ROOTS must name groups and absolute paths, such as G1=/srv/documents:G2=/srv/others.',
    );
  return { groupCode, path: normalize(path) };
};

/**
 * Folders of this machine that the operator opened to groups. Whoever asks over the network names folders below those
 * of the own group and no others: without any, nobody can have the machine read anything.
 */
export class OpenedFolders {
  private constructor(
    private readonly opened: readonly Opened[],
    private readonly kept: string | null,
  ) {}

  /**
   * @param kept where the product keeps its own data: no document of anybody
   * @throws Error for a setting that is not of the form `GROUP=PATH`, several separated by colons
   */
  static from(setting: string, kept: string | null = null): OpenedFolders {
    return new OpenedFolders(
      setting
        .split(':')
        .filter((entry) => entry.trim() !== '')
        .map(readEntry),
      kept,
    );
  }

  /** Resolves a folder that somebody of a group names, links included. @throws FolderNotOpen */
  async resolve(groupCode: string, given: string): Promise<RootFolder> {
    const path = normalize(given);
    const outer = this.opened.filter((each) => each.groupCode === groupCode && isWithin(each.path, path));
    if (!isAbsolute(given) || outer.length === 0) throw new FolderNotOpen();
    const folder = await resolveRoot(path).catch(() => undefined);
    if (folder === undefined || (await this.holdsKept(folder.path))) throw new FolderNotOpen();
    for (const each of outer) {
      const real = await realpath(each.path).catch(() => undefined);
      if (real !== undefined && isWithin(real, folder.path)) return folder;
    }
    throw new FolderNotOpen();
  }

  /** Whether a scan of the folder would read what the product keeps; what is hidden from scans it does not. */
  private async holdsKept(folder: string): Promise<boolean> {
    if (this.kept === null) return false;
    const kept = await realpath(this.kept).catch(() => this.kept ?? '');
    if (isWithin(kept, folder)) return true;
    const steps = relative(folder, kept).split(sep);
    return isWithin(folder, kept) && !steps.some((name) => name.startsWith('.'));
  }
}
