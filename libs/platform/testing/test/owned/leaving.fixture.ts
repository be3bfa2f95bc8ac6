import { spawnOwned } from '../../src';
import { runs } from './runs';

const sleeping = (kind: string): number =>
  spawnOwned(kind, 'sh', ['-c', 'sleep 600 & sleep 600'], { stdio: 'ignore' }).pid ?? 0;

describe('a suite that leaves a process', () => {
  let [ofSuite, ofTest] = [0, 0];
  beforeAll(() => {
    ofSuite = sleeping('sleeper');
  });

  it('fails with a process running', () => {
    ofTest = sleeping('sleeper of a test');
    expect(runs(ofTest)).toBe(false);
  });

  it('does not meet the process of the failed test', () => {
    expect([runs(ofTest), runs(ofSuite)]).toEqual([false, true]);
  });
});
