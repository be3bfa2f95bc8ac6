import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { runs } from './owned/runs';

const PACKAGE = join(__dirname, '..');
const JEST = join(require.resolve('jest/package.json'), '..', 'bin', 'jest.js');

/** Runs the suite of this fixture in a Jest of its own; returns its exit code and everything that it printed. */
const runFixture = (): Promise<{ readonly code: number; readonly printed: string }> =>
  new Promise((resolve) => {
    // Its failures are wanted: they do not belong to the counts of the run.
    const how = ['--ci', '--reporters', 'default', '--testMatch', '**/leaving.fixture.ts'];
    execFile(
      process.execPath,
      [JEST, '-c', join(PACKAGE, 'jest.config.js'), ...how],
      { cwd: PACKAGE },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), printed: `${out}${err}` }),
    );
  });

describe('processes that a suite starts', () => {
  it('a suite that leaves a process fails, and the process ends', async () => {
    const { code, printed } = await runFixture();
    expect(code).toBe(1);
    expect(printed).toMatch(/1 failed, 1 passed/);
    const [, pids] = /The suite left 1 processes: sleeper ([\d ]+)/.exec(printed) ?? [];
    const left = (pids ?? '').trim().split(' ');
    expect(left).toHaveLength(3);
    expect(left.map(Number).filter(runs)).toEqual([]);
  });
});
