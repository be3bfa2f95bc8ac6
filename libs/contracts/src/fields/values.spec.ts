import 'reflect-metadata';
import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { InvalidInput, InvalidMeaning } from '../errors';
import {
  Choice,
  Code,
  decode,
  Decimal,
  fieldsOf,
  Flag,
  Fraction,
  Int,
  Meaningful,
  Mode,
  Moment,
  OneOf,
  Text,
  TextList,
  Uuid,
} from './index';

class Scalars {
  @Text({ min: 2, max: 4, optional: true, description: 'Text' }) readonly text?: string;
  @Meaningful({ max: 4, optional: true, description: 'Words' }) readonly words?: string;
  @Code({ optional: true, description: 'Code' }) readonly code?: string;
  @Uuid({ optional: true, description: 'Id' }) readonly id?: string;
  @Int({ min: 3, max: 7, optional: true, description: 'Count' }) readonly count?: number;
  @Int({ optional: true, description: 'Big' }) readonly big?: number;
  @Int({ min: 1, max: 100, default: 10, description: 'Limit' }) readonly limit!: number;
  @Decimal({ min: -1, max: 1, optional: true, description: 'Number' }) readonly number?: number;
  @Fraction({ nullable: true, optional: true, description: 'Share' }) readonly share?: number | null;
  @Flag({ optional: true, description: 'Flag' }) readonly flag?: boolean;
  @Moment({ optional: true, description: 'Moment' }) readonly moment?: string;
  @OneOf(documentStatus, { optional: true, description: 'State' }) readonly status?: DocumentStatus;
  @Choice(['one', 'two'], { optional: true, description: 'Choice' }) readonly choice?: string;
  @Mode(['count', 'text'], { optional: true, description: 'Mode' }) readonly mode?: string;
  @TextList({ max: 2, length: 3, optional: true, description: 'List' }) readonly list?: readonly string[];
}

/** The decoded value, or the details of the refusal. */
const read = (raw: unknown, query = false): unknown => {
  try {
    return { ...decode(Scalars, raw, { closed: true, query }) };
  } catch (error) {
    if (error instanceof InvalidInput || error instanceof InvalidMeaning) return { [error.code]: error.details };
    throw error;
  }
};

const each = (table: Partial<Record<keyof Scalars, readonly unknown[]>>): [string, unknown][] =>
  Object.entries(table).flatMap(([name, values]) => values.map((value): [string, unknown] => [name, value]));

describe('a value of a field', () => {
  it.each(
    each({
      text: ['ab', 'abcd', 'áé😀😀'],
      words: ['x', ' xy ', 'abcd'],
      code: ['A', 'DOC-1', 'x'.repeat(120)],
      id: ['019a0000-0000-7000-8000-000000000001'],
      count: [3, 7],
      big: [0, Number.MAX_SAFE_INTEGER],
      limit: [1, 100],
      number: [-1, 0.5, 1],
      share: [0, 1, null],
      flag: [true, false],
      moment: ['2026-01-31T00:00:00Z', '2026-01-31T00:00:00.123456Z'],
      choice: ['one', 'two'],
      mode: ['count', 'text'],
      list: [[], ['abc', '']],
    }),
  )('the field %s accepts %j', (name, value) => {
    expect(read({ [name]: value })).toEqual({ limit: 10, [name]: value });
  });

  const noText = [5, true, ['ab'], {}, 'a\0', '\0b', 'a\ud800', '\udc00b'];
  const noNumber = [Number.NaN, Infinity, -Infinity, '5', '', [5], {}, true];
  it.each(
    each({
      text: [...noText, 'a', 'abcde', `a${'\u{FE0F}'.repeat(9)}`],
      words: [...noText, 'abcde'],
      code: [...noText, '', 'x'.repeat(121), 'a b', 'a\u{7}', 'a\u{200B}'],
      id: [...noText, '', 'no-id'],
      count: [...noNumber, 2, 8, 3.5],
      big: [...noNumber, -1, 0.5, 2 ** 53],
      limit: [...noNumber, 0, 101],
      number: [...noNumber, -1.01, 1.01],
      share: [Number.NaN, '0.5', -0.01, 1.01],
      flag: ['true', 1, 0, []],
      moment: [...noText, '2026-01-31', '2026-01-31T00:00:00+01:00', '2026-01-31T00:00:00.1234567Z'],
      status: [...noText, 'VECTORIZADO', 'vectorized', 'constructor', ''],
      choice: [...noText, 'three', 'TWO', ''],
      mode: [...noText, ['count']],
      list: ['abc', { 0: 'abc' }, ['a', 'b', 'c'], ['abcd'], [null], [1], ['\0'], [['a']]],
    }),
  )('the field %s refuses %j', (name, value) => {
    expect(read({ [name]: value })).toEqual({ VALIDATION_ERROR: { invalid_fields: [name] } });
  });

  it.each(['', ' ', '\t\n', '\u{A0}'])('a blank %j has the right shape but no meaning', (words) => {
    expect(read({ words })).toEqual({ INVALID_REQUEST: { invalid_fields: ['words'] } });
  });
  it.each(['', 'COUNT', 'count ', 'whole', 'constructor'])('%j is no word of a mode and has no meaning', (mode) => {
    expect(read({ mode })).toEqual({ INVALID_REQUEST: { invalid_fields: ['mode'] } });
    expect(read({ mode }, true)).toEqual({ INVALID_REQUEST: { invalid_fields: ['mode'] } });
  });
  it.each([{ words: ' ' }, { mode: 'whole' }])('the shape of a value is checked before the meaning of %j', (blank) => {
    expect(read({ ...blank, count: 99 })).toEqual({ VALIDATION_ERROR: { invalid_fields: ['count'] } });
  });
  it('an absent value gets its default', () => {
    expect(read({})).toEqual({ limit: 10 });
  });
  it('null in a field that may be absent is read as absent', () => {
    const names = fieldsOf(Scalars).filter(({ nullable }) => !nullable);
    const nulls = Object.fromEntries(names.map(({ wire }) => [wire, null]));
    expect(read(nulls)).toEqual({ limit: 10 });
    for (const representation of ['wire', 'public'] as const)
      expect({ ...decode(Scalars, { ...nulls, share: null }, { closed: true, representation }) }).toEqual({
        ...{ limit: 10, share: null },
      });
  });
  it('every spelling of a UUID is decoded as one', () => {
    const id = '019a0000-0000-7000-8000-00000000abcd';
    for (const representation of ['wire', 'public'] as const)
      expect(decode(Scalars, { id: id.toUpperCase() }, { closed: true, representation }).id).toBe(id);
  });
  it('a public name is read as its internal code', () => {
    expect(read({ status: 'VECTORIZED' })).toEqual({ limit: 10, status: 'VECTORIZADO' });
  });
});

describe('a value of a query', () => {
  it.each([
    ['count', '5', 5],
    ['big', '999999999999999', 999_999_999_999_999],
    ['number', '-0.25', -0.25],
    ['flag', 'true', true],
    ['flag', 'false', false],
    ['text', '55', '55'],
    ['status', 'ERROR', 'ERROR'],
  ])('the query field %s reads %j', (name, sent, value) => {
    expect(read({ [name]: sent }, true)).toEqual({ limit: 10, [name]: value });
  });
  it.each(
    each({
      count: ['', '1e3', ' 5', '5 ', '+5', '0x5', '5.0', '٥', 'NaN', ['5', '5'], '2', '8'],
      big: ['9007199254740993', '-1'],
      number: ['', ' ', '1e-1', '.5', 'Infinity', '1.01'],
      flag: ['', '1', 'TRUE'],
      text: [['ab', 'cd'], 'a'],
    }),
  )('the query field %s refuses %j', (name, sent) => {
    expect(read({ [name]: sent }, true)).toEqual({ VALIDATION_ERROR: { invalid_fields: [name] } });
  });
});
