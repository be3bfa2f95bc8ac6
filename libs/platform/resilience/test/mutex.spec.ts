import { KeyedMutex, Mutex, pause } from '../src';

describe('a mutex', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('a mutex runs work one at a time, in order of arrival', async () => {
    const mutex = new Mutex();
    const seen: string[] = [];
    const work = (name: string, ms: number) => async (): Promise<void> => {
      seen.push(`${name} begins`);
      await pause(ms);
      seen.push(`${name} ends`);
    };
    void mutex.run(work('slow', 100));
    void mutex.run(work('fast', 1));
    const settled = mutex.settled();
    await jest.advanceTimersByTimeAsync(10_000);
    await settled;
    expect(seen).toEqual(['slow begins', 'slow ends', 'fast begins', 'fast ends']);
  });
  it('a mutex continues after failed work', async () => {
    const mutex = new Mutex();
    const failing = mutex.run(() => Promise.reject(new Error('no')));
    const after = mutex.run(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no');
    expect(await after).toBe('done');
  });
});

describe('a keyed mutex', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('a keyed mutex serialises one key and no others', async () => {
    const mutex = new KeyedMutex();
    const seen: string[] = [];
    const run = (key: string, name: string, ms: number): Promise<void> =>
      mutex.run(key, async () => {
        await pause(ms);
        seen.push(name);
      });
    const all = [run('a', 'a slow', 100), run('a', 'a fast', 1), run('b', 'b', 10)];
    await jest.advanceTimersByTimeAsync(10_000);
    await Promise.all(all);
    expect(seen).toEqual(['b', 'a slow', 'a fast']);
  });
  it('a failure reaches its caller only', async () => {
    const mutex = new KeyedMutex();
    const failing = mutex.run('a', () => Promise.reject(new Error('no')));
    const after = mutex.run('a', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('no');
    expect(await after).toBe('done');
  });
});
