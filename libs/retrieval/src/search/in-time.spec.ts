import { setTimeout as pause } from 'node:timers/promises';
import { inTime } from './in-time';

const after = async <T>(ms: number, value: T): Promise<T> => {
  await pause(ms);
  return value;
};
const never = new Promise<null>(() => undefined);

describe('answers with a time limit', () => {
  it('answers in time are all returned', async () => {
    const late = jest.fn();
    expect(await inTime<[string, string]>([after(1, 'a'), after(20, 'b')], 5_000, late)).toEqual(['a', 'b']);
    expect(late).not.toHaveBeenCalled();
  });

  it('late answers are given up one by one after another one came', async () => {
    const late = jest.fn();
    expect(await inTime<[string, string]>([never, after(1, 'b')], 30, late)).toEqual([null, 'b']);
    expect(late.mock.calls).toEqual([[0]]);
  });

  it('without any answer the time limit does not apply', async () => {
    const late = jest.fn();
    expect(await inTime<[string, string]>([after(60, 'a'), Promise.resolve(null)], 5, late)).toEqual(['a', null]);
    expect(late).not.toHaveBeenCalled();
  });

  it('without any answer every result is null', async () => {
    expect(await inTime<[string, string]>([Promise.resolve(null), after(5, null)], 1, jest.fn())).toEqual([null, null]);
  });
});
