import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { EXCLUSIONS, Exclusions, MOST_EXCLUSIONS, ruleForName } from '@acervo/ingestion';

/** The text of the file of exclusions of a folder; undefined where it has none that a scan would heed. */
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

/** What scans of a folder leave out by its name or by `.acervoignore`, as its files of exclusions are now. */
export class WatchedExclusions {
  private readonly known = new Map<string, Exclusions>();

  constructor(private readonly root: string) {}

  /** @param path absolute, below the root, in a folder that is not left out itself */
  leavesOut(path: string, isFolder: boolean): boolean {
    if (ruleForName(basename(path)) !== undefined) return true;
    return this.of(dirname(path)).excludes(this.below(path), isFolder);
  }

  private of(folder: string): Exclusions {
    const found = this.known.get(folder);
    if (found !== undefined) return found;
    const inherited = folder === this.root ? Exclusions.none : this.of(dirname(folder));
    const own = textIn(folder);
    const all = own === undefined ? inherited : inherited.and(this.below(folder), own);
    this.known.set(folder, all);
    return all;
  }

  private below(path: string): string {
    return relative(this.root, path).split(sep).join('/');
  }
}
