import { Exclusions, ruleForName } from './ignore-rules';

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The same in plain data. */
export interface ExcludedEntriesRecord {
  /** The text of the exclusions of each folder that has its own. */
  readonly exclusions: readonly (readonly [folder: string, text: string])[];
  readonly passedBy: readonly string[];
}

/** The entries that rules exclude from a walk. Paths are relative to the root, with `/`; the root's own is empty. */
export class ExcludedEntries {
  /** The exclusions that apply in each listed folder. */
  private readonly exclusions = new Map<string, Exclusions>([['', Exclusions.none]]);
  private readonly texts: (readonly [string, string])[] = [];
  private readonly passedBy = new Set<string>();

  static from({ exclusions, passedBy }: ExcludedEntriesRecord): ExcludedEntries {
    const leftOut = new ExcludedEntries();
    for (const [folder, text] of exclusions) leftOut.exclude(folder, text);
    for (const path of passedBy) leftOut.passBy(path);
    return leftOut;
  }

  get record(): ExcludedEntriesRecord {
    return { exclusions: this.texts, passedBy: [...this.passedBy] };
  }

  /** Records the exclusions of a folder, after those of its parent. @throws ExclusionsRefused */
  exclude(folder: string, text: string | undefined): void {
    const inherited = this.exclusionsIn(folder === '' ? '' : parentOf(folder));
    this.exclusions.set(folder, text === undefined ? inherited : inherited.and(folder, text));
    if (text !== undefined) this.texts.push([folder, text]);
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
