import type { Type } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { InvalidInput, InvalidMeaning } from '../errors';
import { type Field, fieldsOf } from './registry';

/** What stands where a value could not be read: no validator accepts it, no message repeats the value. */
const UNREADABLE = Symbol('unreadable');

/** `query` reads numbers and flags from text; `closed` refuses undeclared names, at every depth. */
export interface DecodeOptions {
  readonly closed: boolean;
  readonly query?: boolean;
}

interface Findings {
  unknown: number;
  readonly missing: string[];
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const INTEGER = /^-?\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;

const fromText = (value: unknown, kind: Field['fromText']): unknown => {
  if (typeof value !== 'string') return value;
  if (kind === 'integer') return INTEGER.test(value) ? Number(value) : UNREADABLE;
  if (kind === 'number') return DECIMAL.test(value) ? Number(value) : UNREADABLE;
  if (kind === 'flag') return value === 'true' ? true : value === 'false' ? false : UNREADABLE;
  return value;
};

/** NUL and lone surrogates cannot be stored; they are refused at the door. */
const storable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();

const readOne = (field: Field, value: unknown, options: DecodeOptions, path: string, findings: Findings): unknown => {
  if (field.of !== undefined && isPlain(value)) return build(field.of(), value, options, path, findings);
  if (field.of !== undefined && value !== null) return UNREADABLE;
  if (field.vocabulary !== undefined && typeof value === 'string')
    return field.vocabulary.toInternal(value) ?? UNREADABLE;
  if (typeof value === 'string' && !storable(value)) return UNREADABLE;
  return options.query === true ? fromText(value, field.fromText) : value;
};

const readField = (field: Field, raw: unknown, options: DecodeOptions, path: string, findings: Findings): unknown => {
  if (raw === undefined) {
    if (field.fallback === undefined && !field.optional) findings.missing.push(path);
    return field.fallback;
  }
  if (field.list && Array.isArray(raw)) return raw.map((item) => readOne(field, item, options, path, findings));
  return readOne(field, raw, options, path, findings);
};

const build = (type: Type, raw: object, options: DecodeOptions, path: string, findings: Findings): object => {
  const fields = fieldsOf(type);
  const source = new Map(Object.entries(raw));
  const instance = new type() as Record<string, unknown>;
  for (const field of fields) {
    const value = readField(field, source.get(field.wire), options, path + field.wire, findings);
    if (value !== undefined) instance[field.property] = value;
    source.delete(field.wire);
  }
  if (options.closed) findings.unknown += source.size;
  return instance;
};

const invalidNames = (type: Type, errors: readonly ValidationError[], path = ''): string[] =>
  errors.flatMap(({ property, children = [] }) => {
    const field = fieldsOf(type).find((candidate) => candidate.property === property);
    if (field === undefined) return [];
    const below =
      field.of === undefined ? [] : children.filter(({ children: inner = [] }) => inner.length > 0 || !field.list);
    if (field.of === undefined || below.length === 0) return [path + field.wire];
    const of = field.of();
    return below.flatMap((child) =>
      invalidNames(of, field.list ? (child.children ?? []) : [child], `${path}${field.wire}.`),
    );
  });

const blankNames = (type: Type, instance: object): string[] =>
  fieldsOf(type)
    .filter(({ meaningful, property }) => {
      const value: unknown = Reflect.get(instance, property);
      return meaningful === true && typeof value === 'string' && value.trim() === '';
    })
    .map(({ wire }) => wire);

/**
 * Reads an object that came over a wire into an instance of its class.
 * @throws InvalidInput (422) with the names of declared fields that are missing or wrong and the count of undeclared ones.
 * @throws InvalidMeaning (400) when the shape is right and a meaningful text is blank.
 */
export const decode = <T extends object>(type: Type<T>, raw: unknown, options: DecodeOptions): T => {
  if (!isPlain(raw)) throw new InvalidInput({ missing: [], invalid: [], unknown: 0 });
  const findings: Findings = { unknown: 0, missing: [] };
  const instance = build(type, raw, options, '', findings) as T;
  const errors = validateSync(instance, {
    forbidUnknownValues: false,
    validationError: { target: false, value: false },
  });
  const invalid = [...new Set(invalidNames(type, errors))].filter((name) => !findings.missing.includes(name));
  if (invalid.length > 0 || findings.missing.length > 0 || findings.unknown > 0)
    throw new InvalidInput({ missing: findings.missing, invalid, unknown: findings.unknown });
  const blank = blankNames(type, instance);
  if (blank.length > 0) throw new InvalidMeaning(blank);
  return instance;
};

const writeOne = (field: Field, value: unknown): unknown => {
  if (value === null || value === undefined) return value;
  if (field.vocabulary !== undefined) return field.vocabulary.toPublic(String(value));
  return field.of === undefined ? value : encode(field.of(), value as object);
};

/** Writes the declared fields of a value under their wire names; what is not declared does not leave. */
export const encode = (type: Type, value: object): Record<string, unknown> => {
  const out: Record<string, unknown> = {};
  for (const field of fieldsOf(type)) {
    const held: unknown = Reflect.get(value, field.property);
    if (held === undefined) {
      if (!field.optional) throw new TypeError(`${type.name}.${field.property} is declared and was not given.`);
      continue;
    }
    out[field.wire] =
      field.list && Array.isArray(held) ? held.map((item) => writeOne(field, item)) : writeOne(field, held);
  }
  return out;
};

/** Reads what a peer of ours wrote: trusted in shape, open to fields that we do not know yet. */
export const revive = <T extends object>(type: Type<T>, raw: unknown): T => {
  if (!isPlain(raw)) throw new TypeError(`${type.name} was expected.`);
  return build(type, raw, { closed: false }, '', { unknown: 0, missing: [] }) as T;
};
