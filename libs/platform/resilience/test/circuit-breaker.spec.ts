import { CircuitBreaker } from '../src';

describe('a circuit breaker', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const breakerOf = (probeMs = Infinity): CircuitBreaker =>
    new CircuitBreaker({ failures: 5, openMs: 1_000, probeMs, now: () => Date.now() });
  const broken = (probeMs?: number): CircuitBreaker => {
    const breaker = breakerOf(probeMs);
    for (let failure = 0; failure < 5; failure += 1) breaker.failed();
    return breaker;
  };

  it('successes between failures keep the circuit closed', () => {
    const breaker = breakerOf();
    for (let turn = 0; turn < 20; turn += 1) {
      breaker.failed();
      breaker.failed();
      breaker.succeeded();
    }
    expect(breaker.admits()).toBe(true);
  });
  it('five failures in a row open the circuit for a second', () => {
    const breaker = broken();
    expect(breaker.admits()).toBe(false);
    jest.advanceTimersByTime(999);
    expect(breaker.admits()).toBe(false);
  });
  it('an open circuit admits one probe, and all after its success', () => {
    const breaker = broken();
    jest.advanceTimersByTime(1_000);
    expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
    breaker.succeeded();
    expect([breaker.admits(), breaker.admits()]).toEqual([true, true]);
  });
  it('a failed probe keeps the circuit open for another second', () => {
    const breaker = broken();
    jest.advanceTimersByTime(1_000);
    breaker.admits();
    breaker.failed();
    expect(breaker.admits()).toBe(false);
    jest.advanceTimersByTime(1_000);
    expect(breaker.admits()).toBe(true);
  });
  it('a probe without an outcome is followed by another', () => {
    const breaker = broken(2_000);
    jest.advanceTimersByTime(1_000);
    expect(breaker.admits()).toBe(true);
    jest.advanceTimersByTime(1_999);
    expect(breaker.admits()).toBe(false);
    jest.advanceTimersByTime(1);
    expect(breaker.admits()).toBe(true);
  });
});
