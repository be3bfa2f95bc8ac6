import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredNumber, numberProblems, statedNumbers } from './numbers.mjs';

test('numbers are read as figures and as words', () => {
  const text = 'Waits half a minute.\n| Files |  1,000 |\nTwice a day, or 0.5 times';
  assert.deepEqual(
    ['Waits # minute', '| Files | # |', '# a day', 'or # times', '# weeks'].map((says) => statedNumbers(text, says)),
    [[0.5], [1000], [2], [0.5], []],
  );
});

test('constants are literals, products of them and of constants; other expressions are no numbers', () => {
  const source =
    'const KB = 1_024;\nexport const MOST: number = 2 * KB;\nconst T = { everyMs: 60_000, most: 3 };\nconst A = most();\nx ? MOST : KB;';
  const read = (name) => declaredNumber(source, name);
  assert.deepEqual(['KB', 'MOST', 'everyMs', 'A', 'GONE'].map(read), [1024, 2048, 60_000, undefined, undefined]);
});

const files = {
  'docs/a.md': 'It waits 5 s, at most three times. `ACERVO_POOL` of eight. Follow two promises.',
  'libs/x.ts': "const WAIT_MS = 5_000;\nconst LOOKS = { most: 3, ms: 7 };\nslo: 'a'\nslo: 'b'\n",
};
const problemsOf = (row) =>
  numberProblems([{ page: 'docs/a.md', file: 'libs/x.ts', ...row }], {
    read: (path) => files[path],
    defaults: new Map([
      ['ACERVO_POOL', new Set(['8'])],
      ['ACERVO_POOL_WAITING', new Set(['256'])],
    ]),
  });

for (const row of [
  { says: 'It waits # s', name: 'WAIT_MS', unit: 1_000 },
  { says: 'at most # times', code: 'LOOKS = { most: #' },
  { says: '`ACERVO_POOL` of #', setting: 'ACERVO_POOL' },
  { says: 'Follow # promises', count: '^slo: ' },
])
  test(`a number that equals the code passes: ${row.says}`, () => {
    assert.deepEqual(problemsOf(row), []);
  });

for (const [row, problem] of [
  [{ says: 'It waits # s', name: 'WAIT_MS' }, /docs\/a\.md says "It waits 5 s", but WAIT_MS of libs\/x\.ts is 5000/],
  [{ says: 'at most # times', code: 'LOOKS = { … ms: #' }, /says "at most 3 times", but .* is 7/],
  [{ says: '`ACERVO_POOL` of #', setting: 'ACERVO_POOL_WAITING' }, /but ACERVO_POOL_WAITING is 256/],
  [{ says: 'Follow # promises', count: "^slo: 'a'" }, /is 1: correct one of them/],
  [{ says: 'It rests # s', name: 'WAIT_MS' }, /docs\/a\.md no longer says "It rests # s"/],
  [{ says: 'It waits # s', name: 'GONE_MS' }, /GONE_MS of libs\/x\.ts is no single number/],
  [{ says: 'It waits # s', code: 'GONE = #' }, /"GONE = #" of libs\/x\.ts is no single number/],
  [{ says: 'It waits # s', setting: 'ACERVO_GONE' }, /ACERVO_GONE is no single number/],
  [{ says: 'It waits # s', file: 'libs/gone.ts', name: 'WAIT_MS' }, /libs\/gone\.ts is no single number/],
])
  test(`a planted number is reported: ${JSON.stringify(row)}`, () => {
    const problems = problemsOf(row);
    assert.equal(problems.length, 1);
    assert.match(problems[0], problem);
  });
