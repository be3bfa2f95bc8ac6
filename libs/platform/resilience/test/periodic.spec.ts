import { HOURLY, Periodic } from '../src';

const EVERY_MS = 1_000;

/** Work that ends when the test says so. */
const heldWork = (): { readonly begun: () => number; readonly end: () => void; readonly work: () => Promise<void> } => {
  let begun = 0;
  let end = (): void => undefined;
  return {
    begun: () => begun,
    end: () => end(),
    work: () => {
      begun += 1;
      return new Promise((resolve) => (end = resolve));
    },
  };
};

describe('Periodic', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    [undefined, 3],
    [0, 4],
    [200, 4],
  ])('with the first run after %p ms, it runs %i times in three intervals', async (firstMs, runs) => {
    const work = jest.fn();
    new Periodic(work, { firstMs, everyMs: EVERY_MS }).start();
    await jest.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect(work).toHaveBeenCalledTimes(runs);
  });

  it('a run that is due during another one is left out', async () => {
    const { begun, end, work } = heldWork();
    new Periodic(work, { everyMs: EVERY_MS }).start();
    await jest.advanceTimersByTimeAsync(5 * EVERY_MS);
    expect(begun()).toBe(1);
    end();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(begun()).toBe(2);
  });

  it('a failed run is reported, and the next one follows', async () => {
    const failed = jest.fn();
    const work = jest.fn(() => Promise.reject(new Error('away')));
    new Periodic(work, { everyMs: EVERY_MS, failed }).start();
    await jest.advanceTimersByTimeAsync(2 * EVERY_MS);
    expect(work).toHaveBeenCalledTimes(2);
    expect(failed).toHaveBeenCalledWith(new Error('away'));
  });

  it('a stop waits for the run under way, and none follows', async () => {
    const { begun, end, work } = heldWork();
    const periodic = new Periodic(work, { firstMs: 0, everyMs: EVERY_MS });
    periodic.start();
    let stopped = false;
    const stopping = periodic.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(5 * EVERY_MS);
    expect(stopped).toBe(false);
    end();
    await stopping;
    await jest.advanceTimersByTimeAsync(5 * EVERY_MS);
    expect(begun()).toBe(1);
  });

  it('it runs during a task, and stops where the task fails', async () => {
    const work = jest.fn();
    const task = async (): Promise<void> => {
      await jest.advanceTimersByTimeAsync(2 * EVERY_MS);
      throw new Error('over');
    };
    await expect(new Periodic(work, { everyMs: EVERY_MS }).during(task)).rejects.toThrow('over');
    await jest.advanceTimersByTimeAsync(5 * EVERY_MS);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('a second start changes nothing, and a start after a stop begins again', async () => {
    const work = jest.fn();
    const periodic = new Periodic(work, { everyMs: EVERY_MS });
    periodic.start();
    periodic.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(work).toHaveBeenCalledTimes(1);
    await periodic.stop();
    periodic.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('hourly work runs within a minute of a start', async () => {
    const work = jest.fn();
    new Periodic(work, HOURLY).start();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
