import { MemoryRates } from '../src';
import { behavesLikeRates } from './rates.behaviour';

behavesLikeRates('In-memory', () => {
  let now = 0;
  const pass = (_name: string, seconds: number): Promise<unknown> => Promise.resolve((now += seconds));
  return Promise.resolve({ rates: new MemoryRates(() => now), pass });
});

describe('rates in memory', () => {
  const RATE = { perMinute: 60, burst: 2 };

  it('names beyond the limit share one counter', async () => {
    const rates = new MemoryRates(() => 0, 3);
    const counted: boolean[] = [];
    for (let index = 0; index < 8; index += 1)
      counted.push((await rates.admit([{ name: `name ${index}`, rate: RATE }])).admitted);
    // Three names, and the two requests of the shared counter.
    expect(counted.filter(Boolean)).toHaveLength(5);
  });
  it('a full map forgets counters that are used up', async () => {
    let now = 0;
    const rates = new MemoryRates(() => now, 3);
    for (let index = 0; index < 9; index += 1) await rates.admit([{ name: `name ${index}`, rate: RATE }]);
    now = 10;
    expect((await rates.admit([{ name: 'late', rate: RATE }])).admitted).toBe(true);
  });
});
