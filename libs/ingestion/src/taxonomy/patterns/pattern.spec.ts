import fc from 'fast-check';
import { RE2JS } from 're2js';
import { comparable, FoldedText } from './folded-text';
import { Pattern, RuleUnusable } from './pattern';
import { requiredLiterals } from './required-literals';

const found = (pattern: string, text: string): string[] =>
  [...Pattern.of(pattern).matches(new FoldedText(text))].map(({ start, end }) => text.slice(start, end));

describe('required literals', () => {
  it.each([
    ['contrato n[úu]mero', ['contrato n']],
    ['(?i)FACTURA\\s+\\d+', ['factura']],
    ['(?:invoice|factura) no', ['invoice', 'factura']],
    ['(?:invoice|\\d+)', undefined],
    ['\\d{4}/\\d{3}', undefined],
    ['abc?d', undefined],
    ['abcd?efgh', ['efgh']],
    ['(?P<value>importe)+ total', ['importe']],
    ['(?:total)? saldo', [' saldo']],
    ['a\\.b\\.c', ['a.b.c']],
    ['\\Qa.b\\E literal', [' literal']],
    ['\\p{Greek}+palabra', ['palabra']],
    ['[[:alpha:]]]xyz', [']xyz']],
    ['(?:xyz){0}abcd', ['abcd']],
    ['(?:xyz){2,3}', ['xyz']],
    [`(?P<${'n'.repeat(101)}>abc)`, undefined],
  ])('%p needs %p', (pattern, literals) => {
    expect(() => RE2JS.compile(pattern)).not.toThrow();
    expect(requiredLiterals(pattern)).toEqual(literals);
  });

  const atoms = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'abcé '), minLength: 1, maxLength: 5 }),
    fc.constantFrom('\\d', '[a-c]', '.', '\\.', '(?:abc|bcd)', '(ab)', '(?i:ABC)', '\\babc'),
  );
  const parts = fc.tuple(atoms, fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,1}', '+?'));
  const patterns = fc
    .array(fc.array(parts, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((branches) => branches.map((branch) => branch.map((part) => part.join('')).join('')).join('|'));
  it('every text that matches contains one of the literals', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'abcéABCÉ .1'), maxLength: 20 });
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        const literals = requiredLiterals(pattern);
        if (literals === undefined || !RE2JS.compile(pattern).test(text)) return;
        expect(literals.some((literal) => comparable(text).includes(literal))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('patterns', () => {
  it.each(['', '(?=a)b', '(a)\\1', '(', `${'a'.repeat(2_001)}`, '((a{100}){100}){2}', '(?:a{900}b{900}c{900}){2}'])(
    'the pattern %# is refused',
    (pattern) => {
      expect(() => Pattern.of(pattern)).toThrow(RuleUnusable);
    },
  );
  it('a pattern with a literal is found anywhere', () => {
    expect(found('contrato \\d+', `${'x '.repeat(100_000)}contrato 15 y contrato 16`)).toEqual([
      'contrato 15',
      'contrato 16',
    ]);
  });
  it('a pattern without a literal reads the first 4 kB', () => {
    expect(found('\\d{3}', `123 ${'x'.repeat(5_000)} 456`)).toEqual(['123']);
  });
  it('the edge of a window is not the edge of the text', () => {
    const text = `${'x'.repeat(3_000)} factura ${'y'.repeat(3_000)}`;
    expect(found('^x* factura', text)).toEqual([]);
    expect(found('factura y*$', text)).toEqual([]);
    expect(found('factura y', text)).toEqual(['factura y']);
  });
  it('a pattern that makes others backtrack ends', () => {
    expect(found('(a+)+b', 'a'.repeat(100_000))).toEqual([]);
    expect(found('(?:aaa*)*aaa*c', 'a'.repeat(200_000))).toEqual([]);
  });
});
