import { Exclusions, ruleForName } from './ignore-rules';

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** What of a tree is left out of a walk by rules. Paths are relative to the root, with `/`; the root's own is empty. */
export class LeftOut {
  /** Those that hold in each folder that was listed. */
  private readonly exclusions = new Map<string, Exclusions>([['', Exclusions.none]]);
  private readonly passedBy = new Set<string>();

  /** Takes note of the exclusions that a folder names itself, after those of the folder that it lies in. */
  exclude(folder: string, text: string | undefined): void {
    const inherited = this.holdingIn(folder === '' ? '' : parentOf(folder));
    this.exclusions.set(folder, text === undefined ? inherited : inherited.and(folder, text));
  }

  /** Takes note of an entry that is neither a file nor a folder, such as a link. */
  passBy(path: string): void {
    this.passedBy.add(path);
  }

  /** Whether the exclusions name an entry. */
  excludes(path: string, isFolder: boolean): boolean {
    return this.holdingIn(parentOf(path)).excludes(path, isFolder);
  }

  /** Whether no walk enters a folder or one above it, whether they are there or not. */
  coversFolder(path: string): boolean {
    const names = path.split('/');
    return names.some((name, depth) => {
      const above = names.slice(0, depth + 1).join('/');
      return ruleForName(name) !== undefined || this.passedBy.has(above) || this.excludes(above, true);
    });
  }

  /** A folder that was not listed may be asked about all the same: those that were say what holds below them. */
  private holdingIn(folder: string): Exclusions {
    return this.exclusions.get(folder) ?? this.holdingIn(parentOf(folder));
  }
}
