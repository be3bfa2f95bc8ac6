import type { Type } from '@nestjs/common';
import { type Field, fieldsOf } from './registry';
import { isOptionalIn, nameIn, type Representation } from './representation';

/** Stands where a value cannot be read: no validator accepts it, no message repeats the value. */
export const UNREADABLE = Symbol('unreadable');

type JsonObject = Readonly<Record<string, unknown>>;

export const isPlain = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** NUL and lone surrogates cannot be stored. */
const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();

/** A text in the spelling of its field, or UNREADABLE for one that cannot be stored. */
export const readText = ({ canonical }: Field, text: string): unknown =>
  isStorable(text) ? (canonical?.(text) ?? text) : UNREADABLE;

/** What stands between the commas of a text. */
const partsOf = (text: string): string[] => text.split(',').filter((part) => part !== '');

/** The elements of a list that one text may give; other values as they are. An empty one of several counts as well. */
const separatedOf = ({ separated }: Field, raw: unknown): unknown => {
  if (separated !== true) return raw;
  if (!Array.isArray(raw)) return typeof raw === 'string' ? partsOf(raw) : [raw];
  return raw.flatMap((text: unknown) => (typeof text === 'string' && text !== '' ? partsOf(text) : [text]));
};

/** How a walk converts the objects and values that it meets. */
export interface Target {
  readonly representation: Representation;
  create(type: Type): Record<string, unknown>;
  keyOf(field: Field): string;
  /** A value that is no object of another class, or UNREADABLE. */
  read(field: Field, value: unknown): unknown;
  fallbackOf(field: Field): unknown;
}

/**
 * Walks an object along its declared fields, at every depth. Only own names of the object count, so a prototype name is
 * treated like any other: declared or counted as unknown.
 */
export class Walk {
  unknown = 0;
  unreadable = 0;
  readonly missing = new Set<string>();
  readonly meaningless = new Set<string>();

  constructor(private readonly target: Target) {}

  object(type: Type, raw: JsonObject, path = ''): object {
    const made = this.target.create(type);
    let declared = 0;
    for (const field of fieldsOf(type)) {
      const name = nameIn(field, this.target.representation);
      if (name === null) continue;
      const isPresent = Object.hasOwn(raw, name);
      if (isPresent) declared += 1;
      const value = this.field(field, isPresent ? raw[name] : undefined, path + name);
      if (value !== undefined) made[this.target.keyOf(field)] = value;
    }
    this.unknown += Object.keys(raw).length - declared;
    return made;
  }

  private field(field: Field, raw: unknown, path: string): unknown {
    const mayLack = field.fallback !== undefined || isOptionalIn(field, this.target.representation);
    // Many generated clients send null for what they leave out.
    if (raw === undefined || (raw === null && mayLack && !field.nullable)) {
      if (!mayLack) this.missing.add(path);
      return this.target.fallbackOf(field);
    }
    if (raw === null) return null;
    if (!field.list) return this.one(field, raw, path);
    const items = separatedOf(field, raw);
    if (Array.isArray(items)) return items.map((item) => this.one(field, item, path));
    // class-validator would validate one object in the place of a list as if it were an element.
    this.unreadable += 1;
    return UNREADABLE;
  }

  private one(field: Field, value: unknown, path: string): unknown {
    if (field.of !== undefined && isPlain(value)) return this.object(field.of(), value, `${path}.`);
    // class-validator would accept an element that is null or a list as an object.
    const read = field.of === undefined ? this.target.read(field, value) : UNREADABLE;
    if (read === UNREADABLE) this.unreadable += 1;
    if (typeof read === 'string' && field.isMeaningful?.(read) === false) this.meaningless.add(path);
    return read;
  }
}
