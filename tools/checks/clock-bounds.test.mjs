import assert from 'node:assert/strict';
import { it } from 'node:test';
import { clockBounds, clockProblems, clocksIn } from './clock-bounds.mjs';

it('a suite that reads a clock is told, with what to do', () => {
  const [problem] = clockProblems({ 'libs/a/test/b.spec.ts': 2 }, { 'libs/a/test/b.spec.ts': 1 });
  assert.match(problem, /b\.spec\.ts reads a clock at 2 places, 1 before: wait with `until`/);
});

it('an entry that is too high is told, so that the list shrinks', () => {
  const problems = clockProblems({ 'libs/a/test/b.spec.ts': 1 }, { 'libs/a/test/b.spec.ts': 2, 'gone.spec.ts': 1 });
  assert.equal(problems.length, 2);
});

it('clocks, deadlines of requests and second tries count', () => {
  assert.equal(clocksIn('performance.now(); Date.now(); AbortSignal.timeout(5); jest.retryTimes(3); pause(5)'), 4);
});

it('suites of speed and nightly suites may read clocks', () => {
  assert.ok(Object.keys(clockBounds()).every((path) => !/\.(speed|nightly\.spec)\.ts$/.test(path)));
});
