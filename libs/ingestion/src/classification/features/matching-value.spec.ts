import type { ValueKind } from '../../taxonomy/taxonomy';
import { matchingValue } from './matching-value';

const TEXT =
  'Signed on 31 December 2026.\nThe total is 1,250.50 euros; 7 of 12 parts, item 250.5, paid: yes. Order AB-12/x.';
const whole = { start: 0, end: TEXT.length };
const found = (kind: ValueKind, written: string, part = whole) => matchingValue(kind, TEXT, part, 'en', written);

describe('a value as a model writes it', () => {
  it.each<[ValueKind, string, string, string]>([
    ['DATE', '31 December 2026', '2026-12-31', '31 December 2026'],
    ['DATE', '2026-12-31', '2026-12-31', '31 December 2026'],
    ['AMOUNT', '1,250.50 euros', '1250.50 EUR', '1,250.50 euros'],
    ['AMOUNT', '1250.50 EUR', '1250.50 EUR', '1,250.50 euros'],
    ['NUMBER', '12', '12', '12'],
    ['BOOLEAN', 'true', 'true', 'yes'],
    ['TEXT', 'AB-12/x', 'AB-12/x', 'AB-12/x'],
    ['TEXT', '2026. The', '2026. The', '2026.\nThe'],
  ])('%s %s stands in the text as a value of its kind', (kind, written, value, quote) => {
    const place = found(kind, written);
    expect(place).toMatchObject({ value });
    expect(TEXT.slice(place?.start, place?.end)).toBe(quote);
  });

  it.each<[ValueKind, string]>([
    ['NUMBER', '50.50'],
    ['NUMBER', '1'],
    ['NUMBER', '250'],
    ['DATE', '2026-12-30'],
    ['AMOUNT', '250.50 euros'],
    ['BOOLEAN', 'false'],
    ['TEXT', 'tota'],
    ['TEXT', 'otal'],
    ['TEXT', ''],
  ])('%s %s does not', (kind, written) => {
    expect(found(kind, written)).toBeUndefined();
  });

  it('outside of the quoted part does not count', () => {
    expect(found('TEXT', 'Order', { start: 0, end: 40 })).toBeUndefined();
    expect(found('DATE', '31 December 2026', { start: 0, end: 20 })).toBeUndefined();
  });
});
