import fc from 'fast-check';
import { numberFormatOf, textFormatOf } from '../src/readers/office/number-format';
import { rareFormats } from '../src/readers/office/sheetjs';

const shown = (code: string | undefined, value: number, id = 164, in1904 = false): string =>
  numberFormatOf(id, code, { in1904, rare: rareFormats })(value);

describe('a figure under a number format', () => {
  it.each([
    ['General', 1.5, '1.5'],
    ['00000', 8028, '08028'],
    ['0000000000', 430000123, '0430000123'],
    ['00', 7, '07'],
    ['0.00', 2.5, '2.50'],
    ['0.0#', 2.5, '2.5'],
    ['0.00', 1.005, '1.01'],
    ['#,##0', 1234567, '1,234,567'],
    ['#,##0.00', 1234.5, '1,234.50'],
    ['#,##0.00\\ "€"', 1234.5, '1.234,50 €'],
    ['#,##0.00 [$€-C0A]', 1234.5, '1.234,50 €'],
    ['[$€-2]\\ #,##0.00', 1234.5, '€ 1,234.50'],
    ['"$"#,##0.00', 1234.5, '$1,234.50'],
    ['_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', -3.5, '-3,50 €'],
    ['#,##0 "días";[Red]-#,##0 "días"', -4, '-4 días'],
    ['#,##0;(#,##0)', -1500, '(1,500)'],
    ['0;-0;"nada"', 0, 'nada'],
    ['0.0%', 0.1234, '12.3%'],
    ['0%', 0.5, '50%'],
    ['0 %', 1, '100 %'],
    ['000-00-0000', 123456789, '123-45-6789'],
    ['[$$-80A]#,##0.00', 1234.5, '$1,234.50'],
    ['[$CHF-807] #,##0.00', 1234.5, 'CHF 1,234.50'],
    ['[$R$-416] #,##0.00', 1234.5, 'R$ 1.234,50'],
    ['General', 1e21, '1E+21'],
    ['General', 1e-7, '1E-07'],
    ['"Exp. "0000', 42, 'Exp. 0042'],
    ['0.0,,"M"', 2_500_000, '2.5M'],
    ['# ?/?', 0.5, '1/2'],
    ['# ??/??', 2.25, '2  1/4'],
    ['0.00E+00', 12345, '1.23E+04'],
    ['[<=999999999]000 000 000;0', 600111222, '600 111 222'],
    [';;;', 7, '7'],
    ['@', 3, '3'],
  ])('%s shows %d as %s', (code, value, text) => {
    expect(shown(code, value)).toBe(text);
  });
  it.each([
    [0, 3, '3'],
    [2, 3, '3.00'],
    [9, 0.5, '50%'],
    [12, 0.25, '1/4'],
    [14, 45356, '2024-03-05'],
    [18, 0.65, '3:36 PM'],
    [22, 45356.5, '2024-03-05 12:00'],
    [46, 1.5, '36:00:00'],
    [49, 3, '3'],
  ])('the built-in format %d shows %d as %s', (id, value, text) => {
    expect(shown(undefined, value, id)).toBe(text);
  });
  it('a figure without a format reads back equal', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 3 }), (whole, places) => {
        const value = whole / 10 ** places;
        expect(Number(shown('General', value))).toBe(value);
      }),
    );
  });
  it('any code shows any figure as some text', () => {
    const code = fc.string({ maxLength: 30, unit: fc.constantFrom(...'0#?,.%/E+-;"\\_*[]hmsdyAP@ $€G') });
    fc.assert(
      fc.property(code, fc.double({ noNaN: true, noDefaultInfinity: true }), (format, value) => {
        expect(shown(format, value)).not.toBe('');
      }),
    );
  });
});

describe('a date under a number format', () => {
  it.each([
    ['dd/mm/yyyy', 45356, '05/03/2024 (2024-03-05)'],
    ['d.m.yyyy', 45356, '5.3.2024 (2024-03-05)'],
    ['yyyy-mm-dd', 45356, '2024-03-05'],
    ['yyyy', 45356, '2024 (2024-03-05)'],
    ['dd/mm/yy h:mm AM/PM', 45356.6458333, '05/03/24 3:30 PM (2024-03-05 15:30:00)'],
    ['mm:ss.0', 0.00145255, '02:05.5'],
    ['[$-40A]d-mmm', 45536, '1-sep (2024-09-01)'],
    ['d "de" mmmm "de" yyyy', 45356, '5 de marzo de 2024 (2024-03-05)'],
    ['[$-C0A]mmm\\-yy', 45356, 'mar-24 (2024-03-05)'],
    ['[$-403]dddd', 45356, 'dimarts (2024-03-05)'],
    ['mmmm yyyy', 45356, 'March 2024 (2024-03-05)'],
    ['h:mm', 0.5, '12:00'],
    ['hh:mm:ss', 1.3, '07:12:00'],
    ['[h]:mm', 1.1458333333333333, '27:30'],
    ['[h]:mm:ss', 4.25, '102:00:00'],
    ['[mm]:ss', 0.0625, '90:00'],
    ['dd/mm/yyyy', -1, '-1'],
  ])('%s shows %d as %s', (code, value, text) => {
    expect(shown(code, value)).toBe(text);
  });
  it('days count from the epoch of the workbook', () => {
    expect([shown('yyyy-mm-dd', 1, 164, true), shown('yyyy-mm-dd', 1), shown('yyyy-mm-dd', 59)]).toEqual([
      '1904-01-02',
      '1900-01-01',
      '1900-02-28',
    ]);
  });
});

describe('a text under a format', () => {
  it.each([
    ['"Ref. "@', 'Ref. AB'],
    ['0;-0;0;@" (bis)"', 'AB (bis)'],
    ['_-* #,##0_-;_-@_-', 'AB'],
  ])('%s shows AB as %s', (code, shown) => {
    expect(textFormatOf(code)?.('AB')).toBe(shown);
  });
  it.each(['@', 'General', '0.00', '"@"', undefined])('%s leaves a text as it is', (code) => {
    expect(textFormatOf(code)).toBeNull();
  });
});
