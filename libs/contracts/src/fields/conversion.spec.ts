import 'reflect-metadata';
import { InvalidInput } from '../errors';
import { decode, encode, Int, ListOf, Mode, Nested, OpenList, OpenObject, Text } from './index';

class Leaf {
  @Text({ max: 5, description: 'Text' }) readonly text!: string;
}

class Request {
  @Text({ max: 5, optional: true, description: 'Text' }) readonly text?: string;
  @Nested(() => Leaf, { optional: true, description: 'Leaf' }) readonly leaf?: Leaf;
  @ListOf(() => Leaf, { max: 2, optional: true, description: 'Leaves' }) readonly leaves?: readonly Leaf[];
  @OpenObject({ optional: true, description: 'Options' }) readonly options?: object;
  @OpenList({ max: 2, optional: true, description: 'Rows' }) readonly rows?: readonly object[];
}

/** Objects that class-transformer fails on, or shortens, where it reaches them. */
const traps: readonly object[] = [
  { constructor: 5 },
  { constructor: { prototype: [] } },
  { toString: 'x', valueOf: 1 },
  { then: 'x', length: 3 },
  { below: [{ constructor: 'x' }] },
  JSON.parse('{"__proto__": {"polluted": true}}') as object,
];
const cases = traps.map((trap) => [JSON.stringify(trap), trap] as const);

const invalidNames = (raw: object): unknown => {
  try {
    return decode(Request, raw, { closed: true });
  } catch (error) {
    return error instanceof InvalidInput ? error.details['invalid_fields'] : error;
  }
};

describe('conversion of a request', () => {
  it.each(cases)('an object of unknown shape is passed on unchanged: %s', (_text, trap) => {
    const { options, rows } = decode(Request, { options: trap, rows: [trap] }, { closed: true });
    expect([options, rows?.[0]]).toEqual([trap, trap]);
    expect(options).toBe(trap);
  });
  it.each(cases)('an object in place of a text is refused: %s', (_text, trap) => {
    expect(invalidNames({ text: trap })).toEqual(['text']);
    expect(invalidNames({ leaf: { text: trap }, leaves: [{ text: [trap] }] })).toEqual(['leaf.text', 'leaves.text']);
  });
  it('an open object in place of a list is refused, and vice versa', () => {
    expect(invalidNames({ options: [], rows: {} })).toEqual(['options', 'rows']);
    expect(invalidNames({ rows: [null] })).toEqual(['rows']);
  });
});

class Reading {
  @Mode(['count', 'text'], { default: 'count', wire: 'modo', description: 'Mode' }) readonly mode!: string;
}

describe('a mode with a default', () => {
  it.each([
    [{}, 'count'],
    [{ modo: 'text' }, 'text'],
  ])('the request %j is read as %s', (raw, mode) => {
    for (const query of [true, false]) expect(decode(Reading, raw, { closed: true, query })).toEqual({ mode });
  });
  it('its word is written as it stands', () => {
    expect(encode(Reading, { mode: 'text' })).toEqual({ modo: 'text' });
  });
});

describe('a declaration', () => {
  it.each(['toString', 'valueOf', 'hasOwnProperty'])('a field with the inherited name %s is refused', (property) => {
    const declare = (): void => Int({ description: 'Number' })({}, property);
    expect(declare).toThrow(`${property} cannot be a field`);
  });
  it('a field with the wire name constructor is refused', () => {
    const declare = (): void => Int({ wire: 'constructor', description: 'Number' })({}, 'count');
    expect(declare).toThrow('count cannot be a field');
  });
});
