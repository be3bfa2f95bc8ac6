import { Breaker } from './breaker';

describe('a breaker', () => {
  let now = 0;
  const broken = (): Breaker => {
    const breaker = new Breaker(() => now);
    for (let turn = 0; turn < 5; turn += 1) breaker.failed();
    return breaker;
  };
  beforeEach(() => (now = 0));

  it('lets everybody through while answers come, however many failed in between', () => {
    const breaker = new Breaker(() => now);
    for (let turn = 0; turn < 20; turn += 1) {
      breaker.failed();
      breaker.failed();
      breaker.answered();
    }
    expect(breaker.admits()).toBe(true);
  });
  it('lets nobody through for a second after five failures in a row', () => {
    const breaker = broken();
    expect(breaker.admits()).toBe(false);
    now = 999;
    expect(breaker.admits()).toBe(false);
  });
  it('then lets one through, and everybody once that one is answered', () => {
    const breaker = broken();
    now = 1_000;
    expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
    breaker.answered();
    expect([breaker.admits(), breaker.admits()]).toEqual([true, true]);
  });
  it('waits for another second when that one fails', () => {
    const breaker = broken();
    now = 1_000;
    breaker.admits();
    breaker.failed();
    expect(breaker.admits()).toBe(false);
    now = 2_000;
    expect(breaker.admits()).toBe(true);
  });
});
