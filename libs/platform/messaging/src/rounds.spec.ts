import { Rounds } from './rounds';

describe('rounds', () => {
  let begun: number;
  let release: () => void;
  let rounds: Rounds;
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    begun = 0;
    rounds = new Rounds(() => {
      begun += 1;
      return new Promise((resolve) => (release = resolve));
    });
  });

  it('do not overlap, and asked for during one there is one more', async () => {
    for (let times = 0; times < 5; times += 1) rounds.next();
    expect(begun).toBe(1);
    release();
    await settled();
    expect(begun).toBe(2);
    release();
    await settled();
    expect(begun).toBe(2);
    rounds.next();
    expect(begun).toBe(3);
  });

  it('are over when they are stopped: the one under way ends and no other begins', async () => {
    rounds.next();
    rounds.next();
    let isStopped = false;
    const stopped = rounds.stop().then(() => (isStopped = true));
    await settled();
    expect(isStopped).toBe(false);
    release();
    await stopped;
    rounds.next();
    await settled();
    expect(begun).toBe(1);
  });
});
