import { NamePattern } from './name-pattern';

/** Characters of a rule. */
const LONGEST = 1_000;
/** `*`, `?` and classes of a rule. */
const MOST_WILDCARDS = 16;

/** A rule that no scan can apply. */
export class RuleRefused extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'RuleRefused';
  }
}

/** Stands for any number of folders. */
const FOLDERS = '**';
type Step = NamePattern | typeof FOLDERS;

/** The spaces at the end of a rule do not count, unless a backslash stands before. */
const withoutTrailingSpaces = (line: string): string => {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
};

const assertWithinLimits = (rule: string): void => {
  if (rule.length > LONGEST) throw new RuleRefused(`is longer than ${LONGEST} characters`);
  const wildcards = [...rule].filter((character) => '*?['.includes(character)).length;
  if (wildcards > MOST_WILDCARDS) throw new RuleRefused(`has more than ${MOST_WILDCARDS} wildcards`);
};

const stepsOf = (pattern: string): readonly Step[] | undefined => {
  const names = pattern.replace(/^\//, '').split('/');
  const isAnchored = pattern.includes('/');
  const steps: Step[] = isAnchored ? [] : [FOLDERS];
  for (const [index, name] of names.entries()) {
    if (name === FOLDERS && isAnchored) {
      steps.push(FOLDERS);
      // At the end it stands for what lies in a folder, not for the folder.
      if (index < names.length - 1) continue;
    }
    const step = NamePattern.of(name);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
};

/** One rule of a file of exclusions, in the syntax of `.gitignore`, without regard to case. */
export class PathRule {
  private constructor(
    private readonly steps: readonly Step[],
    private readonly foldersOnly: boolean,
    /** The rule includes again what an earlier one excludes. */
    readonly includes: boolean,
  ) {}

  /** Undefined for a line that is no rule, or matches nothing. @throws RuleRefused */
  static of(line: string): PathRule | undefined {
    const rule = withoutTrailingSpaces(line);
    if (rule === '' || rule.startsWith('#')) return undefined;
    assertWithinLimits(rule);
    const includes = rule.startsWith('!');
    const pattern = (includes ? rule.slice(1) : rule).toLowerCase();
    const foldersOnly = pattern.endsWith('/');
    const steps = stepsOf(foldersOnly ? pattern.slice(0, -1) : pattern);
    return steps === undefined ? undefined : new PathRule(steps, foldersOnly, includes);
  }

  /**
   * Whether the rule names an entry. After `**` each later name is tried in turn, and only the last `**` goes back: the
   * match costs at most the length of the rule times that of the path.
   * @param names of the path below the folder of the rule, in lower case
   */
  matches(names: readonly string[], isFolder: boolean): boolean {
    if (this.foldersOnly && !isFolder) return false;
    const { steps } = this;
    let [step, name] = [0, 0];
    let back: { step: number; name: number } | undefined;
    while (name < names.length) {
      const current = steps[step];
      if (current === FOLDERS) back = { step: (step += 1), name };
      else if (current?.matches(names[name] ?? '') === true) [step, name] = [step + 1, name + 1];
      else if (back === undefined) return false;
      else [step, name] = [back.step, (back.name += 1)];
    }
    return step === steps.length;
  }
}
