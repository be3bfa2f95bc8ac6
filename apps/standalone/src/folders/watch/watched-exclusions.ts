import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { Exclusions, EXCLUSIONS, MOST_EXCLUSIONS, ruleForName } from '@acervo/files/exclusions';

/** The text of the exclusions file of a folder; undefined if a scan would ignore the file, or there is none. */
const textIn = (folder: string): string | undefined => {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let file: number | undefined;
  try {
    file = openSync(join(folder, EXCLUSIONS), flags);
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= MOST_EXCLUSIONS ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
};

/** Exclusions of a scan, by name and by `.acervoignore`, as the files are when a folder is first read. */
export class WatchedExclusions {
  private readonly byFolder = new Map<string, Exclusions>();

  constructor(private readonly root: string) {}

  /** @param path absolute, below the root, in a folder that is not excluded itself */
  leavesOut(path: string, isFolder: boolean): boolean {
    if (ruleForName(basename(path)) !== undefined) return true;
    return this.of(dirname(path)).excludes(this.below(path), isFolder);
  }

  private of(folder: string): Exclusions {
    const found = this.byFolder.get(folder);
    if (found !== undefined) return found;
    const inherited = folder === this.root ? Exclusions.none : this.of(dirname(folder));
    const text = textIn(folder);
    const all = text === undefined ? inherited : this.added(inherited, folder, text);
    this.byFolder.set(folder, all);
    return all;
  }

  /** Rules that a scan refuses exclude nothing: a change below them causes a scan, which names the rule. */
  private added(inherited: Exclusions, folder: string, text: string): Exclusions {
    try {
      return inherited.and(this.below(folder), text);
    } catch {
      return inherited;
    }
  }

  private below(path: string): string {
    return relative(this.root, path).split(sep).join('/');
  }
}
