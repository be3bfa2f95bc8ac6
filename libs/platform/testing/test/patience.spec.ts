import { setTimeout as pause } from 'node:timers/promises';
import { eventually, TooLate, Unavailable, until } from '../src';

/** Keeps this process from running, as a busy machine does. */
const stall = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('until', () => {
  it('a condition that becomes true ends the wait', async () => {
    let looks = 0;
    await until('the third look', () => (looks += 1) === 3);
    expect(looks).toBe(3);
  });

  it('a stall of the process does not count as lateness', async () => {
    let looks = 0;
    const condition = (): boolean => {
      looks += 1;
      if (looks < 3) stall(600);
      return looks === 3;
    };
    await until('the third look', condition, 500);
    expect(looks).toBe(3);
  });

  it('an unavailable service and a broken connection mean not yet', async () => {
    const refusals = [
      new Unavailable('503'),
      new Error('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }),
      Object.assign(new Error('cut'), { code: 'ECONNRESET' }),
    ];
    const look = (): string => {
      const refusal = refusals.shift();
      if (refusal !== undefined) throw refusal;
      return 'an answer';
    };
    expect(await eventually('an answer', look)).toBe('an answer');
  });

  it('any other error ends the wait at once', async () => {
    let looks = 0;
    const failing = until('nothing', () => {
      looks += 1;
      throw new Error('a wrong answer');
    });
    await expect(failing).rejects.toThrow('a wrong answer');
    expect(looks).toBe(1);
  });

  it('the message of a late condition is written at the end', async () => {
    let printed = 'nothing';
    setTimeout(() => (printed = 'a late line'), 60);
    const waiting = until(
      () => `ready, in ${printed}`,
      () => Promise.reject(new Unavailable('busy')),
      250,
    );
    await expect(waiting).rejects.toThrow(TooLate);
    await expect(waiting).rejects.toThrow(/ready, in a late line.*busy/);
  });

  it('a look that never ends is late', async () => {
    await expect(until('an answer', () => pause(60_000, true, { ref: false }), 150)).rejects.toThrow(TooLate);
  });
});
