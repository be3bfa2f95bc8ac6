import { periodAt } from './period';

describe('the period of a moment', () => {
  it.each<[string, number, string, string]>([
    ['2026-11-26T03:00:00Z', 1, '2026-11-01', '2026-11-30'],
    ['2026-12-31T23:59:59.999Z', 1, '2026-12-01', '2026-12-31'],
    ['2027-01-01T00:00:00Z', 1, '2027-01-01', '2027-01-31'],
    ['2026-03-14T23:59:59.999Z', 15, '2026-02-15', '2026-03-14'],
    ['2026-03-15T00:00:00Z', 15, '2026-03-15', '2026-04-14'],
    ['2026-01-05T00:00:00Z', 28, '2025-12-28', '2026-01-27'],
    ['2028-02-29T12:00:00Z', 1, '2028-02-01', '2028-02-29'],
  ])('%s with start day %i lies in %s to %s', (at, startDay, periodStart, periodEnd) => {
    expect(periodAt(Date.parse(at), startDay)).toEqual({ periodStart, periodEnd });
  });
});
