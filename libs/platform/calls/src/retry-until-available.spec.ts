import { InternalFailure, NotFound } from '@acervo/contracts';
import { retryUntilAvailable } from './retry-until-available';

/** Work that fails a number of times before it succeeds, without real waits; answers the tries and the waits. */
const tried = async (failures: number, error: Error, stopsAfterMs = Infinity) => {
  const seen = { tries: 0, waitedMs: 0 };
  const work = (): Promise<string> => {
    seen.tries += 1;
    return seen.tries > failures ? Promise.resolve('done') : Promise.reject(error);
  };
  const wait = (ms: number): Promise<void> => {
    seen.waitedMs += ms;
    return Promise.resolve();
  };
  const stopped = (): boolean => seen.waitedMs >= stopsAfterMs;
  const outcome = await retryUntilAvailable(work, { wait, stopped }).catch((failure: Error) => failure);
  return { ...seen, outcome };
};

describe('retry until available', () => {
  const gone = new InternalFailure('The call was not answered.');

  it('work outlasts a service that is away for two minutes', async () => {
    expect(await tried(13, gone)).toEqual({ tries: 14, waitedMs: expect.any(Number) as number, outcome: 'done' });
    expect((await tried(13, gone)).waitedMs).toBeGreaterThan(120_000);
  });
  it('the first retries follow every second', async () => {
    expect(await tried(4, gone)).toEqual({ tries: 5, waitedMs: 4_000, outcome: 'done' });
  });
  it('work that keeps failing ends with its error after some minutes', async () => {
    const { tries, waitedMs, outcome } = await tried(1_000, gone);
    expect(outcome).toBe(gone);
    expect(tries).toBe(16);
    expect(waitedMs).toBeLessThan(6 * 60_000);
  });
  it('a domain error is not retried', async () => {
    expect(await tried(1, new NotFound())).toMatchObject({ tries: 1, waitedMs: 0 });
  });
  it('an unwanted result ends the retries within a second', async () => {
    expect(await tried(1_000, gone, 20_000)).toMatchObject({ outcome: gone, waitedMs: 20_000 });
  });
});
