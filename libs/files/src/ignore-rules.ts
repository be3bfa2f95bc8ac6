import { PathRule, RuleRefused } from './path-rule';

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
/** Size of a file of exclusions, in bytes, above which it counts as unreadable. */
export const MOST_EXCLUSIONS = 256_000;

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

/** Rules that apply in one folder, with those of the folders above it. */
const MOST_RULES = 1_000;

/** A file of exclusions that no scan can apply. */
export class ExclusionsRefused extends Error {
  constructor(
    /** The line of the rule, from 1. */
    readonly line: number,
    /** What is wrong with it, as the end of a sentence. */
    readonly problem: string,
  ) {
    super(`Line ${line} of ${EXCLUSIONS} ${problem}.`);
    this.name = 'ExclusionsRefused';
  }
}

/** The rules of one folder. */
interface Level {
  /** Number of names in the path of the folder. */
  readonly depth: number;
  /** The last one first: it takes precedence. */
  readonly rules: readonly PathRule[];
}

/** The rules of a text. @throws ExclusionsRefused for a rule beyond the limits, and for the first of too many */
const rulesIn = (text: string, most: number): PathRule[] => {
  const rules: PathRule[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const refuse = (problem: string): ExclusionsRefused => new ExclusionsRefused(index + 1, problem);
    try {
      const rule = PathRule.of(line);
      if (rule !== undefined) rules.push(rule);
    } catch (error) {
      throw error instanceof RuleRefused ? refuse(error.message) : error;
    }
    if (rules.length > most) throw refuse(`is one of more than ${MOST_RULES} rules, with those of the folders above`);
  }
  return rules.reverse();
};

/** The exclusions that apply in a folder: its own, and those of the folders above it. */
export class Exclusions {
  static readonly none = new Exclusions([], 0);

  private constructor(
    /** The deepest folder first: it takes precedence. */
    private readonly levels: readonly Level[],
    private readonly count: number,
  ) {}

  /**
   * Adds the exclusions of the folder at `base`, which is relative to the root; empty for the root.
   * @throws ExclusionsRefused
   */
  and(base: string, text: string): Exclusions {
    const rules = rulesIn(text, MOST_RULES - this.count);
    const depth = base === '' ? 0 : base.split('/').length;
    return new Exclusions([{ depth, rules }, ...this.levels], this.count + rules.length);
  }

  /** Whether an entry of a folder that is not excluded is excluded; the last matching rule decides. */
  excludes(path: string, isFolder: boolean): boolean {
    if (this.count === 0) return false;
    const names = path.toLowerCase().split('/');
    for (const { depth, rules } of this.levels) {
      const below = names.slice(depth);
      const rule = rules.find((each) => each.matches(below, isFolder));
      if (rule !== undefined) return !rule.includes;
    }
    return false;
  }
}
