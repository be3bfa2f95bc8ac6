import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { Vocabulary } from '@acervo/public-mapping';
import { foldAddress } from './address';
import { conversionOf } from './conversion';
import type { Named } from './names';
import { type Field, registerField, snakeCase } from './registry';

/** Options that every field has. */
export interface FieldOptions {
  /** One English sentence for the reference. */
  readonly description: string;
  /** Wire name, where it is not the snake_case form of the property. */
  readonly wire?: string;
  /** May be absent; a sender may write null for it. A null of its own meaning is separate: see `nullable`. */
  readonly optional?: boolean;
  readonly nullable?: boolean;
  /**
   * `false` for fields that operations neither accept nor return, such as numbers of roles; `required` for fields that
   * operations always need.
   */
  readonly published?: boolean | 'required';
  /** What an identifier names; tests send an identifier of another group in its place. */
  readonly names?: Named;
}

type Extra = Partial<Omit<Field, 'property' | 'wire' | 'optional' | 'nullable'>>;

/**
 * Absent is allowed where declared, null only where declared: class-validator's own IsOptional lets null through. The
 * walk has read null in a field that is only optional as absent before.
 */
const field =
  (options: FieldOptions, schema: ApiPropertyOptions, validators: PropertyDecorator[], extra: Extra = {}) =>
  (target: object, key: string | symbol): void => {
    const property = String(key);
    const { optional = false, nullable = false, published = true, description, names } = options;
    const wire = options.wire ?? snakeCase(property);
    const publicName = published === false ? null : snakeCase(property);
    const publiclyOptional = optional && published !== 'required';
    const { type, ...bounds } = schema;
    const bounded = { ...(typeof type === 'string' ? { type } : {}), ...bounds, description };
    const naming = { property, wire, publicName, publiclyOptional, optional, nullable };
    const named = names === undefined ? {} : { names };
    const registered: Field = { list: false, schema: bounded, ...extra, ...naming, ...named };
    registerField(target, registered);
    const merged = { ...schema, name: wire, description, required: !optional, nullable };
    applyDecorators(
      ...conversionOf(registered),
      ApiProperty(merged as ApiPropertyOptions),
      ValidateIf((_object, value) => !(optional && value === undefined) && !(nullable && value === null)),
      ...validators,
    )(target, key);
  };

/** The public names of those values that are codes or texts of the product. */
export interface Translated {
  readonly publicly?: Vocabulary;
}

export interface TextOptions extends FieldOptions {
  readonly min?: number;
  readonly max: number;
}

/** A string of `min` (default 0) to `max` characters. */
export const Text = ({ min = 0, max, publicly, ...options }: TextOptions & Translated): PropertyDecorator =>
  field(
    options,
    { type: 'string', minLength: min, maxLength: max },
    [IsString(), Length(min, max)],
    publicly === undefined ? {} : { closed: true, publicly },
  );

/** A string that must not be blank: a blank one has the right shape but no meaning and answers 400, not 422. */
export const Meaningful = ({ max, ...options }: TextOptions): PropertyDecorator =>
  field(options, { type: 'string', minLength: 1, maxLength: max }, [IsString(), MaxLength(max)], {
    isMeaningful: (text) => text.trim() !== '',
  });

export interface CodeOptions extends FieldOptions, Translated {}

/** A public code: short, without spaces or control characters. */
export const Code = ({ publicly, ...options }: CodeOptions): PropertyDecorator =>
  field(
    options,
    { type: 'string', minLength: 1, maxLength: 120 },
    [IsString(), Length(1, 120), Matches(/^[^\s\p{C}]+$/u)],
    publicly === undefined ? {} : { closed: true, publicly },
  );

/** An address of a person, as mail knows it: a name, `@` and a host; decoded folded. */
export const Address = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: 'string', format: 'email', minLength: 3, maxLength: 320 },
    [IsString(), MaxLength(320), Matches(/^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,255}$/u)],
    { canonical: foldAddress },
  );

/** An address as a user types it, decoded folded. Any text is one, because a refusal would name no other reason. */
export const TypedAddress = ({ min = 0, ...options }: FieldOptions & { readonly min?: number }): PropertyDecorator =>
  field(options, { type: 'string', minLength: min, maxLength: 320 }, [IsString(), Length(min, 320)], {
    canonical: foldAddress,
  });

/** An internal identifier, decoded in lower case as PostgreSQL writes it; never part of a public answer. */
export const Uuid = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'string', format: 'uuid' }, [IsUUID()], { canonical: (text) => text.toLowerCase() });

export interface IntOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
  readonly default?: number;
}

/** A whole number within bounds; a default makes it optional for the sender and present for the reader. */
export const Int = (options: IntOptions): PropertyDecorator => {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, default: fallback, optional, ...rest } = options;
  return field(
    { ...rest, optional: optional === true || fallback !== undefined },
    { type: 'integer', minimum: min, maximum: max, ...(fallback === undefined ? {} : { default: fallback }) },
    [IsInt(), Min(min), Max(max)],
    { fromText: 'integer', fallback },
  );
};

/** A finite number; bounds and default as given. */
export const Decimal = (options: IntOptions): PropertyDecorator => {
  const { min, max, default: fallback, optional, ...rest } = options;
  const bounds = [...(min === undefined ? [] : [Min(min)]), ...(max === undefined ? [] : [Max(max)])];
  return field(
    { ...rest, optional: optional === true || fallback !== undefined },
    { type: 'number', minimum: min, maximum: max, ...(fallback === undefined ? {} : { default: fallback }) },
    [IsNumber({ allowNaN: false, allowInfinity: false }), ...bounds],
    { fromText: 'number', fallback },
  );
};

/** A number from 0 to 1. */
export const Fraction = (options: Omit<IntOptions, 'min' | 'max'>): PropertyDecorator =>
  Decimal({ ...options, min: 0, max: 1 });

export const Flag = (options: FieldOptions & { readonly default?: boolean }): PropertyDecorator => {
  const { default: fallback, optional, ...rest } = options;
  return field(
    { ...rest, optional: optional === true || fallback !== undefined },
    { type: 'boolean', ...(fallback === undefined ? {} : { default: fallback }) },
    [IsBoolean()],
    { fromText: 'flag', fallback },
  );
};

/** Whether a text in the form of an instant names one: 30 February does not exist. */
const isInstant = (text: unknown): boolean => {
  if (typeof text !== 'string') return false;
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 19) === text.slice(0, 19);
};

/** An instant, ISO 8601 in UTC on the wire and a string in memory. */
export const Moment = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'string', format: 'date-time' }, [
    IsString(),
    Matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/),
    ValidateBy({ name: 'isInstant', validator: { validate: isInstant } }),
  ]);

const matching = (options: FieldOptions, maxLength: number, pattern: RegExp): PropertyDecorator =>
  field(options, { type: 'string', maxLength, pattern: pattern.source }, [
    IsString(),
    MaxLength(maxLength),
    Matches(pattern),
  ]);

const SEMANTIC_VERSION =
  /^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?$/;

/** A semantic version without build metadata, as 1.2.0 or 1.2.0-beta.1. */
export const SemanticVersion = (options: FieldOptions): PropertyDecorator => matching(options, 64, SEMANTIC_VERSION);

/** A link that a browser opens over TLS: a host, and a path of printable ASCII. */
export const HttpsLink = (options: FieldOptions): PropertyDecorator =>
  matching(options, 2_048, /^https:\/\/[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?(\/[!-~]*)?$/);

/** A day of the calendar, as 2026-01-31. */
export const Day = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'string', format: 'date', maxLength: 10 }, [IsString(), Matches(/^\d{4}-\d\d-\d\d$/)]);

/** One value of a vocabulary: its internal code in memory, its public name on the wire. */
export const OneOf = (set: Vocabulary, options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'string', enum: [...set.publicCodes] }, [IsIn([...set.internalCodes])], { vocabulary: set });

/** A text of the product: Spanish in memory, English on the wire. */
export const ProductText = (set: Vocabulary, { max, ...options }: TextOptions): PropertyDecorator =>
  field(options, { type: 'string', maxLength: max }, [IsString(), MaxLength(max)], { vocabulary: set });

export interface ChoiceOptions extends FieldOptions {
  /** The public names of the values; a closed set without them cannot be published. */
  readonly publicly?: Vocabulary | 'same';
}

/** One of a few words with the same names in the code and on the internal routes. */
export const Choice = (values: readonly string[], { publicly, ...options }: ChoiceOptions): PropertyDecorator =>
  field(options, { type: 'string', enum: [...values] }, [IsIn([...values])], {
    closed: true,
    ...(publicly === undefined ? {} : { publicly }),
  });

/** One of a few words; any other text has the right shape but no meaning and answers 400, not 422. */
export const Mode = <const W extends string>(
  words: readonly W[],
  { default: fallback, ...options }: FieldOptions & { readonly default?: W },
): PropertyDecorator =>
  field(
    { ...options, optional: options.optional === true || fallback !== undefined },
    { type: 'string', enum: [...words], ...(fallback === undefined ? {} : { default: fallback }) },
    [IsString()],
    { closed: true, publicly: 'same', fallback, isMeaningful: (text) => words.some((word) => word === text) },
  );

/** An object of another class, validated and closed like its owner. */
export const Nested = (of: () => Type, options: FieldOptions): PropertyDecorator =>
  field(options, { type: () => of() }, [IsObject(), ValidateNested()], { of });

/** An object whose shape another standard defines; passed on unchanged. */
export const OpenObject = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'object', additionalProperties: true }, [IsObject()], { open: true });

/** At most `max` objects whose shape only their owner defines; passed on unchanged. */
export const OpenList = ({ max, ...options }: FieldOptions & { readonly max: number }): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'object', additionalProperties: true }, maxItems: max },
    [IsArray(), ArrayMaxSize(max), IsObject({ each: true })],
    { list: true, open: true },
  );

/** At most `max` objects of another class. */
export const ListOf = (
  of: () => Type,
  { max, ...options }: FieldOptions & { readonly max: number },
): PropertyDecorator =>
  field(
    options,
    { type: () => of(), isArray: true, maxItems: max },
    [IsArray(), ArrayMaxSize(max), ValidateNested({ each: true })],
    {
      of,
      list: true,
    },
  );

export interface TextListOptions extends FieldOptions {
  readonly max: number;
  readonly length: number;
  /** The texts contain no comma: a query string may give several in one value. */
  readonly separated?: boolean;
}

/** At most `max` strings of at most `length` characters. */
export const TextList = ({ max, length, separated, ...rest }: TextListOptions): PropertyDecorator => {
  return field(
    rest,
    { type: 'array', items: { type: 'string', maxLength: length }, maxItems: max },
    [IsArray(), ArrayMaxSize(max), IsString({ each: true }), MaxLength(length, { each: true })],
    { list: true, ...(separated === undefined ? {} : { separated }) },
  );
};
