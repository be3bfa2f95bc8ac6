import { CheckWatch, stateAfter, UNKNOWN } from './check-watch';

/** The states after each run: `+` answers, `-` fails. */
const statesOf = (runs: string): string => {
  let state = UNKNOWN;
  return [...runs]
    .map((run) => {
      state = stateAfter(state, run === '+');
      return state.isUp ? 'u' : 'd';
    })
    .join('');
};

describe('the state of a check', () => {
  it.each([
    ['+', 'u', 'the first answer'],
    ['-', 'd', 'a first failure'],
    ['--+', 'ddu', 'a late first answer'],
    ['+--+--+', 'uuuuuuu', 'two failures in a row'],
    ['+---', 'uuud', 'three failures in a row'],
    ['+---+', 'uuudu', 'an answer after an outage'],
    ['+---+-', 'uuuduu', 'one failure after an outage'],
  ])('after the runs %s the states are %s: %s', (runs, states) => {
    expect(statesOf(runs)).toBe(states);
  });
});

describe('a watched check', () => {
  const watches: CheckWatch[] = [];
  const watch = (check: () => Promise<void>): CheckWatch => {
    const made = new CheckWatch({ name: 'database', check }, () => undefined);
    watches.push(made);
    void made.start();
    return made;
  };
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    for (const each of watches.splice(0)) each.stop();
    jest.useRealTimers();
  });

  it('an absent engine is named within five seconds, its return within two', async () => {
    let isThere = true;
    const watched = watch(() => (isThere ? Promise.resolve() : new Promise((_, reject) => setTimeout(reject, 1_500))));
    await jest.advanceTimersByTimeAsync(1);
    expect(watched.isUp).toBe(true);
    isThere = false;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(watched.isUp).toBe(true);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(watched.isUp).toBe(false);
    isThere = true;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(watched.isUp).toBe(true);
  });
  it('runs that never end do not overlap', async () => {
    let running = 0;
    const watched = watch(() => {
      running += 1;
      return new Promise(() => undefined);
    });
    await jest.advanceTimersByTimeAsync(10_000);
    expect([running, watched.isUp]).toEqual([1, false]);
  });
  it('a check that throws at once is run again', async () => {
    let runs = 0;
    const watched = watch(() => {
      runs += 1;
      if (runs === 1) throw new Error('not yet');
      return Promise.resolve();
    });
    await jest.advanceTimersByTimeAsync(1_500);
    expect([runs, watched.isUp]).toEqual([2, true]);
  });
  it('a stopped watch runs no further check', async () => {
    let runs = 0;
    const watched = watch(() => {
      runs += 1;
      return Promise.resolve();
    });
    await jest.advanceTimersByTimeAsync(1);
    watched.stop();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(runs).toBe(1);
  });
});
