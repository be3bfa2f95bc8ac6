import { pause } from '@acervo/platform-resilience';
import { inTime } from './in-time';

// A virtual clock: the answers arrive in the order of their times, however busy the machine is.
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const passing = async <T>(work: Promise<T>): Promise<T> => {
  const [answers] = await Promise.all([work, jest.advanceTimersByTimeAsync(1_000)]);
  return answers;
};

const after = async <T>(ms: number, value: T): Promise<T> => {
  await pause(ms);
  return value;
};
const never = new Promise<null>(() => undefined);

describe('answers with a time limit', () => {
  it('answers in time are all returned', async () => {
    const late = jest.fn();
    expect(await passing(inTime<[string, string]>([after(1, 'a'), after(20, 'b')], 5_000, late))).toEqual(['a', 'b']);
    expect(late).not.toHaveBeenCalled();
  });

  it('late answers are given up one by one after another one came', async () => {
    const late = jest.fn();
    expect(await passing(inTime<[string, string]>([never, after(1, 'b')], 30, late))).toEqual([null, 'b']);
    expect(late.mock.calls).toEqual([[0]]);
  });

  it('without any answer the time limit does not apply', async () => {
    const late = jest.fn();
    expect(await passing(inTime<[string, string]>([after(60, 'a'), Promise.resolve(null)], 5, late))).toEqual([
      'a',
      null,
    ]);
    expect(late).not.toHaveBeenCalled();
  });

  it('without any answer every result is null', async () => {
    expect(await passing(inTime<[string, string]>([Promise.resolve(null), after(5, null)], 1, jest.fn()))).toEqual([
      null,
      null,
    ]);
  });
});
