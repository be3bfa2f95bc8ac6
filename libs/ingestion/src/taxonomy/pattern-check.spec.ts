import { checkPattern, checkRules } from './pattern-check';
import { estimatedSize } from './pattern-size';
import { PatternRefused, patternRefusals } from './taxonomy.errors';

const refusalOf = (pattern: string, hasValue = false): unknown => {
  try {
    checkPattern(pattern, { field: 'pattern', hasValue });
    return 'accepted';
  } catch (error) {
    return error instanceof PatternRefused ? error.details['reason'] : error;
  }
};

describe('the check of a pattern', () => {
  it.each([
    ['importe:?\\s*(?<value>[0-9.,]+)', true],
    ['total (?P<value>\\d{1,12})', true],
    ['(?i)contrato|acuerdo', false],
    ['[(]?[?=]', false],
    ['\\(\\?=', false],
    ['\\p{L}{2,40}', false],
  ])('%s is accepted', (pattern, hasValue) => {
    expect(refusalOf(pattern, hasValue)).toBe('accepted');
  });

  it.each([
    [' ', 'VALUE_BLANK'],
    ['', 'VALUE_BLANK'],
    ['a(?=b)', 'PATTERN_LOOKS_AROUND'],
    ['a(?!b)', 'PATTERN_LOOKS_AROUND'],
    ['(?<=a)b', 'PATTERN_LOOKS_AROUND'],
    ['(?<!a)b', 'PATTERN_LOOKS_AROUND'],
    ['(?>a)', 'PATTERN_LOOKS_AROUND'],
    ['(a)\\1', 'PATTERN_REFERS_BACK'],
    ['(?<x>a)\\k<x>', 'PATTERN_REFERS_BACK'],
    ['(', 'PATTERN_INVALID'],
    ['[a', 'PATTERN_INVALID'],
    ['a**', 'PATTERN_INVALID'],
    ['x'.repeat(2_001), 'PATTERN_TOO_LONG'],
    [`(${'x'.repeat(1_900)}){1000}`, 'PATTERN_TOO_LARGE'],
    ['(?i:[\\p{L}]{1000})'.repeat(100), 'PATTERN_TOO_LARGE'],
    ['((x{30}){30}){30}', 'PATTERN_TOO_LARGE'],
  ])('%.40s is refused as %s', (pattern, reason) => {
    expect(refusalOf(pattern)).toBe(reason);
  });

  it('a pattern of an attribute names the group of its value', () => {
    expect(refusalOf('importe (\\d+)', true)).toBe('PATTERN_WITHOUT_VALUE');
    expect(refusalOf('importe (?<amount>\\d+)', true)).toBe('PATTERN_WITHOUT_VALUE');
    expect(refusalOf('importe \\d+')).toBe('accepted');
  });

  it('a refusal explains itself and repeats nothing of the pattern', () => {
    const refused = new PatternRefused('PATTERN_LOOKS_AROUND', 'pattern');
    expect([refused.code, refused.details]).toEqual([
      'VALIDATION_ERROR',
      {
        invalid_fields: ['pattern'],
        reason: 'PATTERN_LOOKS_AROUND',
        explanation: patternRefusals.PATTERN_LOOKS_AROUND,
      },
    ]);
  });
});

describe('the estimated size of a pattern', () => {
  it.each([
    ['abc', 3],
    ['a{3}', 3],
    ['(ab){3}', 12],
    ['\\p{L}{4}x', 5],
    ['[a-z{2}]{5}', 5],
    ['a{2,}', 3],
    ['(a{2}){3}', 12],
  ])('%s is about %i', (pattern, size) => {
    expect(estimatedSize(pattern)).toBe(size);
  });
});

describe('the check of rules', () => {
  it.each([
    ['GLOB', 'actas/[a', 'GLOB_UNCLOSED'],
    ['CONTAINS', ' ', 'VALUE_BLANK'],
    ['PATTERN', '(', 'PATTERN_INVALID'],
  ] as const)('a %s of "%s" is refused', (match, value, reason) => {
    const rules = [
      { match: 'EQUALS' as const, value: 'acta' },
      { match, value },
    ];
    expect(() => checkRules(rules, 'rules.value')).toThrow(patternRefusals[reason]);
  });
});
