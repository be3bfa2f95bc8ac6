import { Exclusions, ruleForName } from './ignore-rules';

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The entries that rules exclude from a walk. Paths are relative to the root, with `/`; the root's own is empty. */
export class LeftOut {
  /** The exclusions that apply in each listed folder. */
  private readonly exclusions = new Map<string, Exclusions>([['', Exclusions.none]]);
  private readonly passedBy = new Set<string>();

  /** Records the exclusions of a folder, after those of its parent. @throws ExclusionsRefused */
  exclude(folder: string, text: string | undefined): void {
    const inherited = this.exclusionsIn(folder === '' ? '' : parentOf(folder));
    this.exclusions.set(folder, text === undefined ? inherited : inherited.and(folder, text));
  }

  /** Records an entry that is neither a file nor a folder, such as a link. */
  passBy(path: string): void {
    this.passedBy.add(path);
  }

  /** Whether the exclusions match an entry. */
  excludes(path: string, isFolder: boolean): boolean {
    return this.exclusionsIn(parentOf(path)).excludes(path, isFolder);
  }

  /** Whether rules keep walks out of a folder or one above it; the folders may be absent. */
  coversFolder(path: string): boolean {
    const names = path.split('/');
    return names.some((name, depth) => {
      const above = names.slice(0, depth + 1).join('/');
      return ruleForName(name) !== undefined || this.passedBy.has(above) || this.excludes(above, true);
    });
  }

  /** The folder may be unlisted: the exclusions of the nearest listed folder above apply. */
  private exclusionsIn(folder: string): Exclusions {
    return this.exclusions.get(folder) ?? this.exclusionsIn(parentOf(folder));
  }
}
