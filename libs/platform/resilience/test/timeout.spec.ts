import { atMost, pause, unlessAborted, withTimeout } from '../src';

describe('a timeout', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const late = (): Error => new Error('late');

  it('work in time returns its result and leaves no timer', async () => {
    expect(await withTimeout(1_000, Promise.resolve('done'), late)).toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });
  it('late work throws the error of the timeout', async () => {
    const refused = expect(withTimeout(1_000, pause(2_000), late)).rejects.toThrow('late');
    await jest.advanceTimersByTimeAsync(1_000);
    await refused;
  });
  it('work that fails in time throws its own error', async () => {
    await expect(withTimeout(1_000, Promise.reject(new Error('no')), late)).rejects.toThrow('no');
  });
});

describe('a bounded wait', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('a bounded wait ends with the work', async () => {
    await atMost(1_000, Promise.resolve());
    expect(jest.getTimerCount()).toBe(0);
  });
  it('a bounded wait ends at its time limit', async () => {
    let isOver = false;
    void atMost(1_000, pause(5_000)).then(() => (isOver = true));
    await jest.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });
  it('a bounded wait throws the error of its work', async () => {
    await expect(atMost(1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});

describe('a pause', () => {
  it('an aborted signal ends a pause at once, before or during it', async () => {
    const stopping = new AbortController();
    const paused = pause(60_000, stopping.signal);
    stopping.abort();
    await paused;
    await pause(60_000, stopping.signal);
  });
});

describe('work whose caller may leave', () => {
  const left = new Error('left');

  it('its result or its error is passed on', async () => {
    const { signal } = new AbortController();
    await expect(unlessAborted(signal, Promise.resolve(7))).resolves.toBe(7);
    await expect(unlessAborted(undefined, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
  it('the wait ends with the reason of the signal', async () => {
    const leaving = new AbortController();
    const waiting = unlessAborted(leaving.signal, new Promise(() => undefined));
    leaving.abort(left);
    await expect(waiting).rejects.toBe(left);
  });
  it('work that fails behind an aborted signal is heard', async () => {
    await expect(unlessAborted(AbortSignal.abort(left), Promise.reject(new Error('broken')))).rejects.toBe(left);
  });
});
