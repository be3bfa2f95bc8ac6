import fc from 'fast-check';
import type { ValueKind } from '../../taxonomy/taxonomy';
import { valueAt, valueOf } from './values';

const read = (kind: ValueKind, text: string, language: string | null = 'es'): string | undefined =>
  valueAt(kind, text, 0, language)?.value;

describe('dates', () => {
  it.each([
    ['3 de marzo de 2024', '2024-03-03'],
    ['03 de Septiembre del 2024', '2024-09-03'],
    ['1.º de enero de 2024', '2024-01-01'],
    ['primero de mayo de 2023', '2023-05-01'],
    ['3 mar. 2024', '2024-03-03'],
    ['12-ene-2024', '2024-01-12'],
    ['March 3rd, 2024', '2024-03-03'],
    ['Sept. 30, 2024', '2024-09-30'],
    ['3rd of March 2024', '2024-03-03'],
    ['3rd day of March, 2024', '2024-03-03'],
    ['3 March 2024', '2024-03-03'],
    ['03/04/2024', '2024-04-03'],
    ['3.4.24', '2024-04-03'],
    ['25-12-1999', '1999-12-25'],
    ['12/25/2024', '2024-12-25'],
    ['2024-03-03', '2024-03-03'],
    ['2024/3/3', '2024-03-03'],
  ])('%s is %s', (text, value) => {
    expect(read('DATE', text)).toBe(value);
  });
  it.each([
    '31/02/2024',
    '2024-13-01',
    '3 de patatas de 2024',
    '123/04/2024',
    '03/04/20245',
    'marzo de 2024',
    '12.345',
  ])('%s is no date', (text) => {
    expect(read('DATE', text)).toBeUndefined();
  });
  it('every day is the same day in all notations', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString().slice(0, 10);
          const [year = '', month = '', day = ''] = iso.split('-');
          const named = (locale: string) =>
            new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
          for (const text of [iso, `${day}/${month}/${year}`, named('es'), named('en-US'), named('en-GB')])
            expect(read('DATE', text)).toBe(iso);
        },
      ),
    );
  });
});

describe('amounts', () => {
  it.each([
    ['1.234,50 €', '1234.50 EUR'],
    ['EUR 1,234.50', '1234.50 EUR'],
    ['€1,234', '1234.00 EUR'],
    ['1.200 euros', '1200.00 EUR'],
    ['1 234 567,8 EUR', '1234567.80 EUR'],
    ['-45,00 €', '-45.00 EUR'],
    ['-$45.00', '-45.00 USD'],
    ['$ 1,000,000', '1000000.00 USD'],
    ['US$12.5', '12.50 USD'],
    ['£0.99', '0.99 GBP'],
    ['250 dólares', '250.00 USD'],
    ['mil doscientos euros', '1200.00 EUR'],
    ['treinta y cinco mil euros', '35000.00 EUR'],
    ['dos millones de euros', '2000000.00 EUR'],
    ['one thousand two hundred and fifty dollars', '1250.00 USD'],
    ['forty-five pounds', '45.00 GBP'],
    ['162 584 millones de euros', '162584000000.00 EUR'],
    ['2.500 mil millones de euros', '2500000000000.00 EUR'],
    ['1,5 millones €', '1500000.00 EUR'],
    ['12 mil euros', '12000.00 EUR'],
    ['£1.3m', '1300000.00 GBP'],
    ['$0.25 billion', '250000000.00 USD'],
    ['€40k', '40000.00 EUR'],
  ])('%s is %s', (text, value) => {
    expect(read('AMOUNT', text)).toBe(value);
  });
  it.each(['1.234,50', '12 páginas', 'euros', '1.234,50 kg', '2024-03-03'])('%s is no amount', (text) => {
    expect(read('AMOUNT', text)).toBeUndefined();
  });
  it('digits that a pattern found take the currency beside them', () => {
    const range = (text: string, digits: string) => {
      const start = text.indexOf(digits);
      return valueOf('AMOUNT', text, { start, end: start + digits.length }, 'es')?.value;
    };
    expect(range('Total: 1.234,50 €', '1.234,50')).toBe('1234.50 EUR');
    expect(range('Total: EUR 1,234.50', '1,234.50')).toBe('1234.50 EUR');
    expect(range('Total: 12', '12')).toBe('12.00');
  });
  it.each([
    ['AMOUNT', '$70,923,698.', '70923698.00 USD', 11],
    ['DATE', '3 de marzo de 2024,', '2024-03-03', 18],
    ['NUMBER', '(1.081)', '-1081', 7],
    ['AMOUNT', '(81,50 €)', '-81.50 EUR', 9],
  ] as const)('%s %s of a pattern is %s', (kind, text, value, end) => {
    expect(valueOf(kind, text, { start: 0, end: text.length }, 'es')).toEqual({ value, end });
  });
  it.each(['$70 each', '12-', '(12', '1 (2)'])('%s of a pattern is no amount', (text) => {
    expect(valueOf('AMOUNT', text, { start: 0, end: text.length }, 'es')).toBeUndefined();
  });
  it('every amount is the same in Spanish and English notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (cents) => {
        const amount = cents / 100;
        const written = (locale: string) =>
          new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: 'always' }).format(amount);
        for (const text of [`${written('es')} €`, `EUR ${written('en')}`, `${written('en')} euros`])
          expect(read('AMOUNT', text)).toBe(`${amount.toFixed(2)} EUR`);
      }),
    );
  });
});

describe('other values', () => {
  it.each([
    ['1.234', 'es', '1234'],
    ['1.234', 'en', '1.234'],
    ['1,5', 'es', '1.5'],
    ['1,234.50', 'en', '1234.5'],
    ['-7', null, '-7'],
    ['100', null, '100'],
  ])('the number %s in %s is %s', (text, language, value) => {
    expect(read('NUMBER', text, language)).toBe(value);
  });
  it.each([
    ['Sí, con', 'true'],
    ['yes', 'true'],
    ['NO', 'false'],
    ['notario', undefined],
    ['síntesis', undefined],
  ])('the boolean of %s is %s', (text, value) => {
    expect(read('BOOLEAN', text)).toBe(value);
  });
  it('a text is the rest of its line', () => {
    expect(read('TEXT', 'Acme  S.L. ;otro')).toBe('Acme S.L');
  });
});
