import type { ProcessPeriod } from '@acervo/public-mapping';
import { nextMidnight, periodStart } from './calendar';

describe('the periods of a calendar', () => {
  it.each<[ProcessPeriod, string, string]>([
    ['DIA', '2026-11-26T23:59:59.999Z', '2026-11-26'],
    ['DIA', '2026-12-31T00:00:00.000Z', '2026-12-31'],
    ['SEMANA', '2026-11-26T10:00:00.000Z', '2026-11-23'],
    ['SEMANA', '2026-11-23T00:00:00.000Z', '2026-11-23'],
    ['SEMANA', '2026-11-22T23:59:59.999Z', '2026-11-16'],
    ['MES', '2026-12-31T23:59:59.999Z', '2026-12-01'],
    ['MES', '2028-02-29T12:00:00.000Z', '2028-02-01'],
  ])('the %s of %s began on %s', (period, at, began) => {
    expect(periodStart(period, new Date(at)).toISOString()).toBe(`${began}T00:00:00.000Z`);
  });
  it('the next midnight is always later', () => {
    expect(nextMidnight(new Date('2026-12-31T00:00:00.000Z')).toISOString()).toBe('2027-01-01T00:00:00.000Z');
    expect(nextMidnight(new Date('2026-12-30T23:59:59.999Z')).toISOString()).toBe('2026-12-31T00:00:00.000Z');
  });
});
