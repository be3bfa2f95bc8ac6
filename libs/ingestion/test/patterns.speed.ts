import { Exclusions } from '@acervo/files';
import { checkPattern } from '../src/taxonomy/pattern-check';

/** The processor time of some work, in milliseconds. */
const cpuMs = (work: () => unknown): number => {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
};

it.each([['(?i:[\\p{L}\\p{N}]{999})'.repeat(5)], [`(${'\\p{L}'.repeat(300)}){16}`], ['('.repeat(900)]])(
  'the pattern %# is checked within 200 ms',
  (pattern) => {
    const check = (): void => {
      try {
        checkPattern(pattern, { field: 'pattern', hasValue: false });
      } catch {
        // A refusal is an answer, too.
      }
    };
    expect(cpuMs(check)).toBeLessThan(200);
  },
);

it.each([
  ['one star per folder', `${'*a'.repeat(15)}b`, 'a'.repeat(250)],
  ['a double star per folder', `${'**/*a/'.repeat(5)}b`, Array.from({ length: 60 }, () => 'a').join('/')],
  ['classes and stars', `${'*[a-z]'.repeat(8)}b`, 'a'.repeat(250)],
])('1,000 rules with %s cost under 5 s for 20 entries', (_what, rule, path) => {
  const exclusions = Exclusions.none.and('', `${rule}\n`.repeat(1_000));
  const match = (): void => {
    for (let entry = 0; entry < 20; entry += 1) exclusions.excludes(path, true);
  };
  expect(cpuMs(match)).toBeLessThan(5_000);
});
