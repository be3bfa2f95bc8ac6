// Tests of the check of state that callers fill.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerStateProblems, callerStateProblemsHere, stateIn } from './caller-state.mjs';

const FILE = 'libs/platform/http/src/x.ts';

for (const [line, name] of [
  ['  private readonly shares = new Map<string, number>();', 'shares'],
  ['  readonly open = new Set<Socket>();', 'open'],
  ['const names = new Map<string, string>();', 'names'],
  ['  const open = new Set<Socket>();', 'open'],
  ['  const none: Pending[] = [];', 'none'],
  ['    this.requests = new FairSemaphore({', 'requests'],
  ['    : new FairSemaphore({ permits: 1 });', 'FairSemaphore'],
])
  test(`state is found: ${line.trim()}`, () => {
    assert.deepEqual(stateIn(FILE, line), [name]);
  });

for (const line of [
  'const places = new WeakMap<IncomingMessage, Place>();',
  "const FILES = new Set(['a']);",
  'const NONE: ReadonlySet<string> = new Set();',
  '  private readonly most = new Map<string, number>([[1, 2]]);',
])
  test(`what ends by itself or never grows is no state: ${line.trim()}`, () => {
    assert.deepEqual(stateIn(FILE, line), []);
  });

test('a map within one call of a service library is no state', () => {
  assert.deepEqual(stateIn('libs/auth/src/x.ts', '  const found = new Map<string, number>();'), []);
});
test('unlisted state is refused', () => {
  const problems = callerStateProblems([[FILE, 'const held = new Map<string, string>();']], {});
  assert.equal(problems.length, 1);
  assert.match(problems[0], /has held, which .* does not list/);
});
test('listed state that is absent is refused', () => {
  const problems = callerStateProblems([[FILE, '']], { [FILE]: { gone: ['a', 'b', 'c'] } });
  assert.deepEqual(problems, [`tools/checks/caller-state.mjs lists gone of ${FILE}, which has none.`]);
});
test('state without an end or a bound is refused', () => {
  const sources = [[FILE, 'const held = new Map<string, string>();']];
  assert.equal(callerStateProblems(sources, { [FILE]: { held: ['a', '', 'c'] } }).length, 1);
  assert.equal(callerStateProblems(sources, { [FILE]: { held: ['a', 'b'] } }).length, 1);
  assert.deepEqual(callerStateProblems(sources, { [FILE]: { held: ['a', 'b', 'c'] } }), []);
});
test('the list is that of this repository', () => {
  assert.deepEqual(callerStateProblemsHere(), []);
});
