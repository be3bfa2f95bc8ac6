import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Exclusions, ExclusionsRefused } from './ignore-rules';

/** A repeatable sequence of numbers below `most`. */
const dice = (seed: number): ((most: number) => number) => {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
};

const PARTS = ['a', 'b', 'ab', 'A', '*', '?', '[ab]', '[!a]', '[a-b]', '.', '\\*', 'a*', '*b', 'a*b', 'a b', ' '];

const randomRule = (roll: (most: number) => number): string => {
  const steps = Array.from({ length: 1 + roll(3) }, () => {
    const kind = roll(4);
    const one = (): string => PARTS[roll(PARTS.length)] ?? '';
    // Beside other characters, git reads two stars in two ways.
    return kind === 0 ? '**' : kind === 1 ? one() : `${one()}${one()}`.replaceAll('**', '*');
  });
  return `${roll(5) === 0 ? '!' : ''}${roll(4) === 0 ? '/' : ''}${steps.join('/')}${roll(4) === 0 ? '/' : ''}`;
};

/** Whether rules exclude a folder, or one above it. */
const excludesFolder = (exclusions: Exclusions, path: string): boolean => {
  const names = path.split('/');
  return names.some((_name, depth) => exclusions.excludes(names.slice(0, depth + 1).join('/'), true));
};

describe('the rules of .acervoignore', () => {
  it('random rules exclude what git excludes', () => {
    const place = mkdtempSync(join(tmpdir(), 'acervo-rules-'));
    const [roll, names] = [dice(20), ['a', 'b', 'ab', 'aab', 'a b', '*', 'a.b', 'ba']];
    const paths = Array.from({ length: 60 }, () =>
      Array.from({ length: 1 + roll(4) }, () => names[roll(names.length)]).join('/'),
    );
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', place, ...args], {
        encoding: 'utf8',
        input: paths.join('\0'),
      });
    git('init', '--quiet');
    git('config', 'core.ignorecase', 'true');
    for (const path of paths) mkdirSync(join(place, path), { recursive: true });
    for (let round = 0; round < 40; round += 1) {
      const text = Array.from({ length: 5 }, () => randomRule(roll)).join('\n');
      writeFileSync(join(place, '.gitignore'), text);
      const listed = git('check-ignore', '--no-index', '--verbose', '--non-matching', '--stdin', '-z').split('\0');
      const expected = paths.map((_path, at) => /^[^!]/.test(listed[at * 4 + 2] ?? ''));
      const exclusions = Exclusions.none.and('', text);
      expect([text, paths.filter((path) => excludesFolder(exclusions, path))]).toEqual([
        text,
        paths.filter((_path, at) => expected[at]),
      ]);
    }
    rmSync(place, { recursive: true });
  });

  it.each([
    ['one star per folder', `${'*a'.repeat(15)}b`, 'a'.repeat(250)],
    ['a double star per folder', `${'**/*a/'.repeat(5)}b`, Array.from({ length: 60 }, () => 'a').join('/')],
    ['classes and stars', `${'*[a-z]'.repeat(8)}b`, 'a'.repeat(250)],
  ])('1,000 rules with %s are matched without backtracking', (_what, rule, path) => {
    const exclusions = Exclusions.none.and('', `${rule}\n`.repeat(1_000));
    // A rule that backtracks would never end.
    expect(exclusions.excludes(path, true)).toBe(false);
  });

  it.each([
    ['with too many wildcards', `*.log\n# a comment\n${'*a'.repeat(17)}\n`, 3, 'has more than 16 wildcards'],
    ['that is too long', `\n${'a'.repeat(1_001)}`, 2, 'is longer than 1000 characters'],
    ['after too many others', '*.log\n'.repeat(1_001), 1_001, 'is one of more than 1000 rules'],
  ])('a rule %s is refused with its line', (_what, text, line, problem) => {
    const refused = (): Exclusions => Exclusions.none.and('', text);
    expect(refused).toThrow(ExclusionsRefused);
    expect(refused).toThrow(`Line ${line} of .acervoignore ${problem}`);
  });

  it('the rules of the folders above count', () => {
    const above = Exclusions.none.and('', 'a\n'.repeat(600));
    expect(() => above.and('sub', 'b\n'.repeat(401))).toThrow(
      'Line 401 of .acervoignore is one of more than 1000 rules',
    );
    expect(above.and('sub', 'b\n'.repeat(400)).excludes('sub/B', false)).toBe(true);
  });
});
