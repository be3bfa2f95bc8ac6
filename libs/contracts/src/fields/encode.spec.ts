import 'reflect-metadata';
import fc from 'fast-check';
import { CodeMappingMissing, documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { decode, encode, Flag, Fraction, Int, ListOf, Moment, Nested, OneOf, revive, Text, TextList } from './index';

class Part {
  @OneOf(documentStatus, { description: 'State' }) readonly status!: DocumentStatus;
  @Fraction({ nullable: true, description: 'Share' }) readonly bestShare!: number | null;
}

class Base {
  @Text({ max: 20, description: 'Name' }) readonly displayName!: string;
}

class Whole extends Base {
  @Int({ min: -5, description: 'Count' }) readonly count!: number;
  @Int({ min: 1, max: 100, default: 10, description: 'Limit' }) readonly limit!: number;
  @Flag({ optional: true, wire: 'activo', description: 'Flag' }) readonly isActive?: boolean;
  @Moment({ nullable: true, description: 'When' }) readonly endedAt!: string | null;
  @Nested(() => Part, { optional: true, nullable: true, description: 'Part' }) readonly part?: Part | null;
  @ListOf(() => Part, { max: 5, description: 'Parts' }) readonly parts!: readonly Part[];
  @TextList({ max: 5, length: 9, nullable: true, description: 'Words' }) readonly words!: readonly string[] | null;
}

const part = (over: object = {}): Part => Object.assign(new Part(), { status: 'VECTORIZADO', bestShare: null }, over);
const whole = (over: object = {}): Whole =>
  Object.assign(
    new Whole(),
    { displayName: 'n', count: 1, limit: 7, endedAt: null, parts: [part()], words: ['a'] },
    over,
  );

describe('writing an object', () => {
  it('declared and inherited fields are written under their wire names', () => {
    expect(encode(Whole, whole({ isActive: false, part: part({ bestShare: 1 }) }))).toEqual({
      display_name: 'n',
      count: 1,
      limit: 7,
      activo: false,
      ended_at: null,
      part: { status: 'VECTORIZED', best_share: 1 },
      parts: [{ status: 'VECTORIZED', best_share: null }],
      words: ['a'],
    });
  });
  it('undeclared fields are left out at every depth', () => {
    const row = whole({ groupId: 'hush', part: part({ secret: 'hush' }), parts: [part({ secret: 'hush' })] });
    expect(JSON.stringify(encode(Whole, row))).not.toContain('hush');
  });
  it('an absent optional field is left out', () => {
    expect(encode(Whole, whole())).not.toHaveProperty('activo');
  });
  it.each([
    ['an absent field', { count: undefined }, 'Whole.count'],
    ['null in a field that is not nullable', { count: null }, 'Whole.count'],
    ['null in an optional field', { isActive: null }, 'Whole.isActive'],
    ['an absent field of a part', { part: part({ bestShare: undefined }) }, 'Part.bestShare'],
    ['an absent field of an element', { parts: [part({ status: undefined })] }, 'Part.status'],
  ])('encoding %s fails and names the field', (_what, over, name) => {
    expect(() => encode(Whole, whole(over))).toThrow(`${name} is declared and was not given.`);
  });
  it('a value without a public name fails without being repeated', () => {
    const write = (): unknown => encode(Whole, whole({ parts: [part({ status: 'ARCHIVADO' })] }));
    expect(write).toThrow(CodeMappingMissing);
    expect(write).toThrow(expect.not.stringContaining('ARCHIVADO') as string);
  });
});

const parts: fc.Arbitrary<Part> = fc
  .record({
    status: fc.constantFrom(...documentStatus.internalCodes),
    bestShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map((drawn) => part(drawn));
const moments = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const texts = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: 'binary', maxLength }).filter((text) => !text.includes('\0'));
const wholes: fc.Arbitrary<Whole> = fc
  .record(
    {
      displayName: texts(20),
      count: fc.integer({ min: -5 }),
      limit: fc.integer({ min: 1, max: 100 }),
      isActive: fc.boolean(),
      endedAt: fc.option(moments),
      part: fc.option(parts),
      parts: fc.array(parts, { maxLength: 5 }),
      words: fc.option(fc.array(texts(9), { maxLength: 5 })),
    },
    { requiredKeys: ['displayName', 'count', 'limit', 'endedAt', 'parts', 'words'] },
  )
  .map((drawn) => Object.assign(new Whole(), drawn));

describe('a written object', () => {
  it('a written object is revived and decoded equal, through JSON', () => {
    fc.assert(
      fc.property(wholes, (value) => {
        const wire: unknown = JSON.parse(JSON.stringify(encode(Whole, value)));
        expect(revive(Whole, wire)).toEqual(value);
        expect(decode(Whole, wire, { closed: true })).toEqual(value);
      }),
    );
  });
  it('a revived object consists of instances of its classes', () => {
    const back = revive(Whole, encode(Whole, whole({ part: part() })));
    expect([back, back.part, back.parts[0]].map((value) => value?.constructor)).toEqual([Whole, Part, Part]);
  });
  it('reviving fills in defaults and skips unknown names', () => {
    const { limit: _limit, ...wire } = encode(Whole, whole());
    expect(revive(Whole, { ...wire, newer: 1 })).toStrictEqual(whole({ limit: 10 }));
  });
  it.each([
    ['a public name that only a newer peer knows', { parts: [{ status: 'ARCHIVED', best_share: 1 }] }],
    ['one object in the place of a list', { parts: { status: 'ERROR', best_share: 1 } }],
    ['null in a list of objects', { parts: [null] }],
    ['a text that cannot be stored', { display_name: 'a\0' }],
  ])('an object with %s is refused', (_what, over) => {
    expect(() => revive(Whole, { ...encode(Whole, whole()), ...over })).toThrow(TypeError);
  });
  it.each([[null], [[]], ['text']])('%j is refused in place of an object', (raw) => {
    expect(() => revive(Whole, raw)).toThrow('Whole was expected.');
  });
});
