import type { Type } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { FieldMappingMissing, type Vocabulary } from '@acervo/public-mapping';
import { InvalidInput, InvalidMeaning } from '../errors';
import { type Field, fieldsOf } from './registry';

/** What stands where a value could not be read: no validator accepts it, no message repeats the value. */
const UNREADABLE = Symbol('unreadable');

/** Which names and codes an object has on its way: those of its wire, or those that operations publish. */
export type Face = 'wire' | 'public';

/** `query` reads numbers and flags from text; `closed` refuses undeclared names, at every depth. */
export interface DecodeOptions {
  readonly closed: boolean;
  readonly query?: boolean;
  readonly face?: Face;
}

/** The name of a field on a face; null where it is not shown there. */
export const nameOn = (field: Field, face: Face = 'wire'): string | null =>
  face === 'wire' ? field.wire : field.publicName;

/** The table that a field's codes go through on a face. @throws FieldMappingMissing for codes that have no public names. */
export const vocabularyOn = (field: Field, face: Face = 'wire'): Vocabulary | undefined => {
  if (face === 'wire' || field.closed !== true) return field.vocabulary;
  if (field.publicly === undefined) throw new FieldMappingMissing(field.property);
  return field.publicly === 'same' ? undefined : field.publicly;
};

class Findings {
  unknown = 0;
  unreadable = 0;
  readonly missing = new Set<string>();
  readonly blank = new Set<string>();
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const INTEGER = /^-?\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;

const fromText = (value: string, kind: Field['fromText']): unknown => {
  if (kind === 'integer') return INTEGER.test(value) ? Number(value) : UNREADABLE;
  if (kind === 'number') return DECIMAL.test(value) ? Number(value) : UNREADABLE;
  if (kind === 'flag') return value === 'true' ? true : value === 'false' ? false : UNREADABLE;
  return value;
};

/** NUL and lone surrogates cannot be stored; they are refused at the door. */
const storable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();

const readText = (field: Field, value: string, options: DecodeOptions): unknown => {
  if (!storable(value)) return UNREADABLE;
  const vocabulary = vocabularyOn(field, options.face);
  if (vocabulary !== undefined) return vocabulary.toInternal(value) ?? UNREADABLE;
  return options.query === true ? fromText(value, field.fromText) : value;
};

const readOne = (field: Field, value: unknown, options: DecodeOptions, path: string, findings: Findings): unknown => {
  if (field.of !== undefined && isPlain(value)) return build(field.of(), value, options, `${path}.`, findings);
  // An element that is null or a list is no object, though class-validator would let it pass for one.
  const read =
    field.of !== undefined ? UNREADABLE : typeof value === 'string' ? readText(field, value, options) : value;
  if (read === UNREADABLE) findings.unreadable += 1;
  if (field.meaningful === true && typeof read === 'string' && read.trim() === '') findings.blank.add(path);
  return read;
};

const readField = (field: Field, raw: unknown, options: DecodeOptions, path: string, findings: Findings): unknown => {
  if (raw === undefined) {
    const mayLack = options.face === 'public' ? field.publiclyOptional : field.optional;
    if (field.fallback === undefined && !mayLack) findings.missing.add(path);
    return field.fallback;
  }
  if (raw === null) return null;
  if (!field.list) return readOne(field, raw, options, path, findings);
  if (Array.isArray(raw)) return raw.map((item) => readOne(field, item, options, path, findings));
  // One object in the place of a list is not validated as if it were an element.
  findings.unreadable += 1;
  return UNREADABLE;
};

const build = (type: Type, raw: object, options: DecodeOptions, path: string, findings: Findings): object => {
  const fields = fieldsOf(type);
  const source = new Map(Object.entries(raw));
  const instance = new type() as Record<string, unknown>;
  for (const field of fields) {
    const name = nameOn(field, options.face);
    if (name === null) continue;
    const value = readField(field, source.get(name), options, path + name, findings);
    if (value !== undefined) instance[field.property] = value;
    source.delete(name);
  }
  if (options.closed) findings.unknown += source.size;
  return instance;
};

const invalidNames = (type: Type, errors: readonly ValidationError[], face?: Face, path = ''): string[] =>
  errors.flatMap(({ property, children = [] }) => {
    const field = fieldsOf(type).find((candidate) => candidate.property === property);
    const name = field === undefined ? null : nameOn(field, face);
    if (field === undefined || name === null) return [];
    const below =
      field.of === undefined ? [] : children.filter(({ children: inner = [] }) => inner.length > 0 || !field.list);
    if (field.of === undefined || below.length === 0) return [path + name];
    const of = field.of();
    return below.flatMap((child) =>
      invalidNames(of, field.list ? (child.children ?? []) : [child], face, `${path}${name}.`),
    );
  });

/**
 * Reads an object that came over a wire into an instance of its class.
 * @throws InvalidInput (422) with the names of declared fields that are missing or wrong and the count of undeclared ones.
 * @throws InvalidMeaning (400) when the shape is right and a meaningful text is blank.
 */
export const decode = <T extends object>(type: Type<T>, raw: unknown, options: DecodeOptions): T => {
  if (!isPlain(raw)) throw new InvalidInput({ missing: [], invalid: [], unknown: 0 });
  const findings = new Findings();
  const instance = build(type, raw, options, '', findings) as T;
  const errors = validateSync(instance, {
    forbidUnknownValues: false,
    validationError: { target: false, value: false },
  });
  const missing = [...findings.missing];
  const invalid = [...new Set(invalidNames(type, errors, options.face))].filter((name) => !findings.missing.has(name));
  if (errors.length > 0 || missing.length > 0 || findings.unknown > 0)
    throw new InvalidInput({ missing, invalid, unknown: findings.unknown });
  if (findings.blank.size > 0) throw new InvalidMeaning([...findings.blank]);
  return instance;
};

const writeOne = (field: Field, value: unknown, face?: Face): unknown => {
  if (value === null) return value;
  const vocabulary = vocabularyOn(field, face);
  if (vocabulary !== undefined) return vocabulary.toPublic(String(value));
  return field.of === undefined ? value : encode(field.of(), value as object, face);
};

/** Writes the declared fields of a value under their names on a face; what is not declared does not leave. */
export const encode = (type: Type, value: object, face?: Face): Record<string, unknown> => {
  const out: Record<string, unknown> = {};
  for (const field of fieldsOf(type)) {
    const name = nameOn(field, face);
    if (name === null) continue;
    const held: unknown = Reflect.get(value, field.property);
    if (held === undefined && field.optional) continue;
    if (held === undefined || (held === null && !field.nullable))
      throw new TypeError(`${type.name}.${field.property} is declared and was not given.`);
    out[name] =
      field.list && Array.isArray(held) ? held.map((item) => writeOne(field, item, face)) : writeOne(field, held, face);
  }
  return out;
};

/**
 * Reads what a peer of ours wrote: trusted in shape, open to fields that we do not know yet.
 * @throws TypeError when a value of a declared field cannot be read here, such as one that a newer vocabulary added.
 */
export const revive = <T extends object>(type: Type<T>, raw: unknown): T => {
  if (!isPlain(raw)) throw new TypeError(`${type.name} was expected.`);
  const findings = new Findings();
  const instance = build(type, raw, { closed: false }, '', findings) as T;
  if (findings.unreadable > 0) throw new TypeError(`${type.name} was sent with a value that cannot be read here.`);
  return instance;
};
