import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutantsOf, scoreOf } from './score.mjs';

const source = 'const a = 1 > 2;\nconst b = true;\n';
const at = (line, from, to) => ({ start: { line, column: from }, end: { line, column: to } });
const report = (statuses) => ({
  files: {
    'src/x.ts': {
      source,
      mutants: statuses.map((status, index) => ({
        status,
        mutatorName: 'M',
        replacement: index % 2 === 0 ? 'false' : '1 >= 2',
        location: index % 2 === 0 ? at(2, 11, 15) : at(1, 11, 16),
      })),
    },
  },
});

test('killed and timed out mutants are noticed, others that ran are not', () => {
  const mutants = mutantsOf(report(['Killed', 'Survived', 'Timeout', 'NoCoverage', 'CompileError']), 'libs/a');
  assert.equal(mutants.length, 4);
  assert.equal(scoreOf(mutants, []).score, 50);
  assert.deepEqual(
    scoreOf(mutants, []).survivors.map(({ file, line, replaced }) => [file, line, replaced]),
    [
      ['libs/a/src/x.ts', 1, '1 > 2'],
      ['libs/a/src/x.ts', 1, '1 > 2'],
    ],
  );
});

test('a mutant named as equivalent does not count, and a name without a mutant is stale', () => {
  const mutants = mutantsOf(report(['Killed', 'Survived']), 'libs/a');
  const entry = { file: 'libs/a/src/x.ts', replaced: '1 > 2', replacement: '1 >= 2' };
  const { score, equivalent, stale } = scoreOf(mutants, [entry, { ...entry, replacement: '1 < 2' }]);
  assert.deepEqual([score, equivalent, stale.length], [100, 1, 1]);
  const noticed = { ...entry, replaced: 'true', replacement: 'false' };
  assert.deepEqual(scoreOf(mutants, [noticed]).stale, [noticed]);
});
