import { type Counted, MemoryRates, type RatedName, Rates, StandInRates } from '../src';
import { behavesLikeRates } from './rates.behaviour';

/** Counters of all processes, which may be away. */
class Shared extends Rates {
  isAway = false;
  asked = 0;
  private readonly rates: MemoryRates;
  constructor(now?: () => number) {
    super();
    this.rates = new MemoryRates(now);
  }
  override admit(counters: readonly RatedName[]): Promise<Counted> {
    this.asked += 1;
    return this.isAway ? Promise.reject(new Error('away')) : this.rates.admit(counters);
  }
  override prune(): Promise<void> {
    return this.rates.prune();
  }
}

const silent = (): void => undefined;
behavesLikeRates('Stand-in', () => {
  let now = 0;
  const pass = (_name: string, seconds: number): Promise<unknown> => Promise.resolve((now += seconds));
  return Promise.resolve({ rates: new StandInRates(new Shared(() => now), new MemoryRates(), silent), pass });
});

describe('rates while the shared counters are away', () => {
  const counters = [{ name: 'key', rate: { perMinute: 60, burst: 3 } }];
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  let now: number;
  let shared: Shared;
  let changes: string[];
  let rates: StandInRates;
  beforeEach(() => {
    [now, shared, changes] = [0, new Shared(), []];
    const changed = (away: object | undefined): void => void changes.push(away === undefined ? 'back' : 'away');
    rates = new StandInRates(shared, new MemoryRates(() => 0), changed, () => now);
  });

  it('a process admits its own rate, and refuses beyond it', async () => {
    shared.isAway = true;
    const admitted: boolean[] = [];
    for (let request = 0; request < 10; request += 1) admitted.push((await rates.admit(counters)).admitted);
    expect(admitted.filter(Boolean)).toHaveLength(3);
    expect(changes).toEqual(['away']);
  });
  it('one request waits for the failure, later ones ask once a second', async () => {
    shared.isAway = true;
    for (let request = 0; request < 10; request += 1) await rates.admit(counters);
    expect(shared.asked).toBe(1);
    now = 1_000;
    for (let request = 0; request < 10; request += 1) await rates.admit(counters);
    expect(shared.asked).toBe(2);
  });
  it('counters that are back count again', async () => {
    shared.isAway = true;
    await rates.admit(counters);
    [shared.isAway, now] = [false, 1_000];
    await rates.admit(counters);
    await settled();
    const asked = shared.asked;
    await rates.admit(counters);
    expect([shared.asked, changes]).toEqual([asked + 1, ['away', 'back']]);
  });
});
