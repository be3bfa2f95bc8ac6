import ignore, { type Ignore } from 'ignore';

/** Why an entry is left out of a scan. */
export const ignoreRules = [
  'hidden',
  'dependency',
  'temporary',
  'excluded',
  'link',
  'special',
  'too_large',
  'too_deep',
  'not_utf8',
  'unreadable',
] as const;
export type IgnoreRule = (typeof ignoreRules)[number];

/** The file in which the owner of a folder excludes entries, in the syntax of `.gitignore`. */
export const EXCLUSIONS = '.acervoignore';

const DEPENDENCIES = new Set(['node_modules', '__pycache__', '__MACOSX', '$RECYCLE.BIN', 'System Volume Information']);
const LEFT_BEHIND = new Set(['thumbs.db', 'desktop.ini', 'ehthumbs.db']);
/** Endings of files that a program still writes or did not remove. */
const UNFINISHED = ['.tmp', '.temp', '.part', '.partial', '.crdownload', '.download', '.swp', '.swo'];

const isTemporary = (name: string): boolean => {
  const lower = name.toLowerCase();
  return name.startsWith('~$') || LEFT_BEHIND.has(lower) || UNFINISHED.some((ending) => lower.endsWith(ending));
};

/**
 * The rule that follows from a name alone: hidden entries, dependencies of programs, and temporary files of editors.
 */
export const ruleForName = (name: string): IgnoreRule | undefined => {
  if (name.startsWith('.')) return 'hidden';
  if (DEPENDENCIES.has(name)) return 'dependency';
  return isTemporary(name) ? 'temporary' : undefined;
};

/** The exclusions that apply in a folder: its own, and those of the folders above it. */
export class Exclusions {
  static readonly none = new Exclusions([]);

  private constructor(private readonly levels: readonly { readonly base: string; readonly rules: Ignore }[]) {}

  /** Adds the exclusions of the folder at `base`, which is relative to the root; empty for the root. */
  and(base: string, text: string): Exclusions {
    const rules = ignore({ allowRelativePaths: false }).add(text);
    return new Exclusions([...this.levels, { base: base === '' ? '' : `${base}/`, rules }]);
  }

  /** Whether an entry is excluded; the deepest folder with a matching rule decides. */
  excludes(path: string, isFolder: boolean): boolean {
    let excluded = false;
    for (const { base, rules } of this.levels) {
      const { ignored, unignored } = rules.test(path.slice(base.length) + (isFolder ? '/' : ''));
      excluded = (excluded || ignored) && !unignored;
    }
    return excluded;
  }
}
