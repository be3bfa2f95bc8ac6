import type { Type } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { InvalidInput, InvalidMeaning } from '../errors';
import { convert, screened } from './conversion';
import { type Field, fieldsOf } from './registry';
import { nameIn, type Representation, vocabularyIn } from './representation';
import { isPlain, readText, type Target, UNREADABLE, Walk } from './walk';

/** `query` reads numbers and flags of the wire from text; `closed` refuses undeclared names, at every depth. */
export interface DecodeOptions {
  readonly closed: boolean;
  readonly query?: boolean;
  readonly representation?: Representation;
}

const read = (field: Field, value: unknown, representation: Representation): unknown => {
  if (typeof value !== 'string') return value;
  const text = readText(field, value);
  const vocabulary = vocabularyIn(field, representation);
  return vocabulary === undefined || text === UNREADABLE ? text : (vocabulary.toInternal(value) ?? UNREADABLE);
};

const instances = (representation: Representation): Target => ({
  representation,
  create: (type) => new type() as Record<string, unknown>,
  keyOf: ({ property }) => property,
  read: (field, value) => read(field, value, representation),
  fallbackOf: ({ fallback }) => fallback,
});

const written = instances('wire');
const published = instances('public');

const invalidNames = (
  type: Type,
  errors: readonly ValidationError[],
  representation?: Representation,
  path = '',
): string[] =>
  errors.flatMap(({ property, children = [] }) => {
    const field = fieldsOf(type).find((candidate) => candidate.property === property);
    const name = field === undefined ? null : nameIn(field, representation);
    if (field === undefined || name === null) return [];
    const below =
      field.of === undefined ? [] : children.filter(({ children: inner = [] }) => inner.length > 0 || !field.list);
    if (field.of === undefined || below.length === 0) return [path + name];
    const of = field.of();
    return below.flatMap((child) =>
      invalidNames(of, field.list ? (child.children ?? []) : [child], representation, `${path}${name}.`),
    );
  });

/**
 * Reads a request into an instance of its class. class-transformer converts the wire representation; the codec reads
 * the public one, because a property has two names there.
 * @throws InvalidInput (422) with the names of declared fields that are missing or wrong and the count of undeclared ones.
 * @throws InvalidMeaning (400) when the shape is right and a text has no meaning: blank, or not one of its words.
 */
export const decode = <T extends object>(type: Type<T>, raw: unknown, options: DecodeOptions): T => {
  if (!isPlain(raw)) throw new InvalidInput({ missing: [], invalid: [], unknown: 0 });
  const { closed, query = false, representation = 'wire' } = options;
  const walk = new Walk(representation === 'wire' ? screened : published);
  const walked = walk.object(type, raw);
  const instance = representation === 'wire' ? convert(type, walked, query) : (walked as T);
  const errors = validateSync(instance, {
    forbidUnknownValues: false,
    validationError: { target: false, value: false },
  });
  const missing = [...walk.missing];
  const unknown = closed ? walk.unknown : 0;
  const invalid = [...new Set(invalidNames(type, errors, representation))].filter((name) => !walk.missing.has(name));
  if (errors.length > 0 || missing.length > 0 || unknown > 0) throw new InvalidInput({ missing, invalid, unknown });
  if (walk.meaningless.size > 0) throw new InvalidMeaning([...walk.meaningless]);
  return instance;
};

const writeOne = (field: Field, value: unknown, representation?: Representation): unknown => {
  if (value === null) return value;
  const vocabulary = vocabularyIn(field, representation);
  if (vocabulary !== undefined) return vocabulary.toPublic(String(value));
  return field.of === undefined ? value : encode(field.of(), value as object, representation);
};

/** Writes the declared fields of a value under their names in a representation. Undeclared fields are left out. */
export const encode = (type: Type, value: object, representation?: Representation): Record<string, unknown> => {
  const out: Record<string, unknown> = {};
  for (const field of fieldsOf(type)) {
    const name = nameIn(field, representation);
    if (name === null) continue;
    const fieldValue: unknown = Reflect.get(value, field.property);
    if (fieldValue === undefined && field.optional) continue;
    if (fieldValue === undefined || (fieldValue === null && !field.nullable))
      throw new TypeError(`${type.name}.${field.property} is declared and was not given.`);
    out[name] =
      field.list && Array.isArray(fieldValue)
        ? fieldValue.map((item) => writeOne(field, item, representation))
        : writeOne(field, fieldValue, representation);
  }
  return out;
};

/**
 * Reads an answer or an event of a peer: trusted in shape, open to fields that are not declared here yet.
 * @throws TypeError for a value of a declared field that this version cannot read, such as one from a newer vocabulary.
 */
export const revive = <T extends object>(type: Type<T>, raw: unknown): T => {
  if (!isPlain(raw)) throw new TypeError(`${type.name} was expected.`);
  const walk = new Walk(written);
  const instance = walk.object(type, raw) as T;
  if (walk.unreadable > 0) throw new TypeError(`${type.name} was sent with a value that cannot be read here.`);
  return instance;
};
