import type { Type as Class } from '@nestjs/common';
import { type ClassTransformOptions, Expose, plainToInstance, Transform, Type } from 'class-transformer';
import type { Field } from './registry';
import { readText, type Target, UNREADABLE } from './walk';

const QUERY = 'query';
const BODY_OPTIONS: ClassTransformOptions = { excludeExtraneousValues: true, exposeUnsetFields: false };
const QUERY_OPTIONS: ClassTransformOptions = { ...BODY_OPTIONS, groups: [QUERY] };

const INTEGER = /^-?\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;

const readers: Record<NonNullable<Field['fromText']>, (text: string) => unknown> = {
  integer: (text) => (INTEGER.test(text) ? Number(text) : UNREADABLE),
  number: (text) => (DECIMAL.test(text) ? Number(text) : UNREADABLE),
  flag: (text) => (text === 'true' ? true : text === 'false' ? false : UNREADABLE),
};

interface Converted {
  readonly value: unknown;
}

const ofText =
  (read: (text: string) => unknown) =>
  ({ value }: Converted): unknown =>
    typeof value === 'string' ? read(value) : value;

const unsealed = (value: unknown): unknown => (typeof value === 'function' ? (value as () => unknown)() : value);

const transformsOf = ({ vocabulary, fromText, fallback, open }: Field): PropertyDecorator[] => [
  ...(vocabulary === undefined ? [] : [Transform(ofText((code) => vocabulary.toInternal(code) ?? UNREADABLE))]),
  ...(fromText === undefined ? [] : [Transform(ofText(readers[fromText]), { groups: [QUERY] })]),
  ...(fallback === undefined ? [] : [Transform(({ value }: Converted) => (value === undefined ? fallback : value))]),
  ...(open === true
    ? [Transform(({ value }: Converted) => (Array.isArray(value) ? value.map(unsealed) : unsealed(value)))]
    : []),
];

/**
 * How class-transformer converts a field of a request. Only nested classes get a `Type`: `Type(() => Number)` would
 * turn '' into 0.
 * @throws for a name that class-transformer skips because every object inherits it
 */
export const conversionOf = (field: Field): PropertyDecorator[] => {
  if (field.wire in Object.prototype || field.property in Object.prototype)
    throw new Error(`${field.property} cannot be a field: every object inherits this name or that of its wire.`);
  return [Expose({ name: field.wire }), ...(field.of === undefined ? [] : [Type(field.of)]), ...transformsOf(field)];
};

/**
 * Makes a copy of the declared fields that is safe to convert. class-transformer copies any object it reaches and
 * fails on one with a key `constructor`: an object of unknown shape travels sealed in a function.
 */
export const screened: Target = {
  representation: 'wire',
  create: () => ({}),
  keyOf: ({ wire }) => wire,
  read: (field, value) => {
    if (field.open === true) return () => value;
    if (typeof value === 'string') return readText(field, value);
    return typeof value === 'object' && value !== null ? UNREADABLE : value;
  },
  fallbackOf: () => undefined,
};

/** Converts a screened request to an instance of its class; a query carries numbers and flags as text. */
export const convert = <T extends object>(type: Class<T>, request: object, isQuery: boolean): T =>
  plainToInstance(type, request, isQuery ? QUERY_OPTIONS : BODY_OPTIONS);
