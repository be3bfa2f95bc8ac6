import 'reflect-metadata';
import fc from 'fast-check';
import { InvalidInput, InvalidMeaning } from '../errors';
import { Code, decode, ListOf, Meaningful, Mode, Nested } from './index';

class Leaf {
  @Code({ description: 'Code' }) readonly code!: string;
  @Meaningful({ max: 5, optional: true, wire: 'nota', description: 'Note' }) readonly noteText?: string;
  @Mode(['green', 'dry'], { optional: true, description: 'Kind' }) readonly kind?: string;
}

class Branch {
  @Nested(() => Leaf, { description: 'One' }) readonly mainLeaf!: Leaf;
  @ListOf(() => Leaf, { max: 2, description: 'Many' }) readonly leaves!: readonly Leaf[];
}

class Tree {
  @Nested(() => Branch, { optional: true, nullable: true, description: 'Branch' }) readonly branch?: Branch | null;
  @ListOf(() => Branch, { max: 3, optional: true, nullable: true, description: 'Branches' })
  readonly branches?: readonly Branch[] | null;
}

const refusalOf = (raw: unknown): unknown => {
  try {
    return decode(Tree, raw, { closed: true });
  } catch (error) {
    return error instanceof InvalidInput || error instanceof InvalidMeaning ? error.details : error;
  }
};

const leaf = { code: 'L' };
const branch = { main_leaf: leaf, leaves: [leaf, leaf] };

describe('a closed object', () => {
  it('an object with only declared names is read', () => {
    const tree = decode(Tree, { branch, branches: [branch] }, { closed: true });
    expect(tree).toBeInstanceOf(Tree);
    expect(tree.branches?.[0]?.leaves[1]).toStrictEqual(Object.assign(new Leaf(), leaf));
  });
  it.each([
    ['at the top', { extra: 1 }],
    ['in a nested object', { branch: { ...branch, extra: 1 } }],
    ['two levels down', { branch: { ...branch, main_leaf: { ...leaf, extra: 1 } } }],
    ['in an element of a list', { branches: [branch, { ...branch, extra: 1 }] }],
    ['in a list within a list', { branches: [{ ...branch, leaves: [leaf, { ...leaf, extra: 1 }] }] }],
  ])('an undeclared name %s is refused and only counted', (_where, raw) => {
    expect(refusalOf(raw)).toEqual({ unknown_field_count: 1 });
  });
  it('undeclared names are counted over all depths', () => {
    const wide = { a: 1, b: 2, branch: { ...branch, c: 3, leaves: [{ ...leaf, d: 4 }] } };
    expect(refusalOf(wide)).toEqual({ unknown_field_count: 4 });
  });
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'noteText'])(
    '%s is counted as an unknown name',
    (name) => {
      expect(refusalOf(JSON.parse(`{"${name}": {"main_leaf": 5}}`))).toEqual({ unknown_field_count: 1 });
      expect(refusalOf(JSON.parse(`{"branch": {"main_leaf": {"code": "L", "${name}": 1}, "leaves": []}}`))).toEqual({
        unknown_field_count: 1,
      });
    },
  );
  it('a renamed field is read only by its wire name', () => {
    expect(decode(Leaf, { code: 'L', nota: 'x' }, { closed: true }).noteText).toBe('x');
    expect(refusalOf({ branch: { mainLeaf: leaf, leaves: [] } })).toEqual({
      missing_fields: ['branch.main_leaf'],
      unknown_field_count: 1,
    });
  });
  it('a refusal never repeats undeclared names or values', () => {
    const refusals = JSON.stringify([refusalOf({ hush: 'hush' }), refusalOf({ branch: 'hush', branches: ['hush'] })]);
    expect(refusals).not.toContain('hush');
  });
  it('decoding leaves the prototype of its input unchanged', () => {
    const tree = decode(Tree, JSON.parse('{"__proto__": {"polluted": true}}'), { closed: false });
    expect(Reflect.get(tree, 'polluted')).toBeUndefined();
    expect(Object.getPrototypeOf(tree)).toBe(Tree.prototype);
  });
  it.each([
    ['null', null],
    ['a list', []],
    ['a text', 'x'],
    ['a number', 1],
    ['nothing', undefined],
  ])('%s in place of an object is refused', (_what, raw) => expect(refusalOf(raw)).toEqual({}));
  it('an open object accepts unknown names', () => {
    expect(decode(Leaf, { code: 'L', extra: 1 }, { closed: false })).toStrictEqual(Object.assign(new Leaf(), leaf));
  });
});

describe('the fields that a refusal names', () => {
  it.each([
    ['missing in a nested object', { branch: {} }, { missing_fields: ['branch.main_leaf', 'branch.leaves'] }],
    [
      'missing in lists, once',
      { branches: [{ leaves: [{}, {}] }, { leaves: [{}] }] },
      { missing_fields: ['branches.main_leaf', 'branches.leaves.code'] },
    ],
    [
      'wrong two levels down',
      { branch: { ...branch, main_leaf: { code: 5 } } },
      { invalid_fields: ['branch.main_leaf.code'] },
    ],
    [
      'wrong in lists, once',
      { branches: [{ ...branch, leaves: [{ code: 1 }, { code: 2 }] }] },
      { invalid_fields: ['branches.leaves.code'] },
    ],
    ['too many elements', { branch: { ...branch, leaves: [leaf, leaf, leaf] } }, { invalid_fields: ['branch.leaves'] }],
    ['null as an element', { branch: { ...branch, leaves: [null] } }, { invalid_fields: ['branch.leaves'] }],
    ['an element that is a list', { branch: { ...branch, leaves: [[leaf]] } }, { invalid_fields: ['branch.leaves'] }],
    ['an object for a list', { branches: branch }, { invalid_fields: ['branches'] }],
    [
      'a wrong object for a list',
      { branches: { ...branch, main_leaf: { code: 5 } } },
      { invalid_fields: ['branches'] },
    ],
    ['a list for an object', { branch: [branch] }, { invalid_fields: ['branch'] }],
    ['a text for an object', { branch: 'x' }, { invalid_fields: ['branch'] }],
    [
      'null in a field that is not nullable',
      { branch: { main_leaf: null, leaves: null } },
      { invalid_fields: ['branch.main_leaf', 'branch.leaves'] },
    ],
    [
      'blank in a list',
      { branch: { ...branch, leaves: [{ ...leaf, nota: ' ' }] } },
      { invalid_fields: ['branch.leaves.nota'] },
    ],
    [
      'no word of a mode, once',
      {
        branches: [
          {
            ...branch,
            leaves: [
              { ...leaf, kind: 'red' },
              { ...leaf, kind: '' },
            ],
          },
        ],
      },
      { invalid_fields: ['branches.leaves.kind'] },
    ],
  ])('the refusal names the path of the field: %s', (_what, raw, details) => {
    expect(refusalOf(raw)).toEqual(details);
  });
  it('null in a nullable field is not reported', () => {
    expect(refusalOf({ branch: null, branches: null })).toStrictEqual(
      Object.assign(new Tree(), { branch: null, branches: null }),
    );
  });
  it('any JSON is read or refused', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const details = refusalOf({ branch: value, branches: value });
        expect(details).not.toBeInstanceOf(Error);
      }),
    );
  });
});
