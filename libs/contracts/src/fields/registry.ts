import type { Type } from '@nestjs/common';
import type { Vocabulary } from '@acervo/public-mapping';

/** What one decorated property promises: the single source of its wire name, its nesting and its absence. */
export interface Field {
  readonly property: string;
  readonly wire: string;
  /** Its name where operations show it to programs; null: it is not shown there. */
  readonly publicName: string | null;
  /** Whether it may be absent there. */
  readonly publiclyOptional: boolean;
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly list: boolean;
  /** Query strings carry text only; these kinds are read from it. */
  readonly fromText?: 'integer' | 'number' | 'flag';
  readonly fallback?: unknown;
  readonly of?: () => Type;
  readonly vocabulary?: Vocabulary;
  /** How codes that travel as they are inside are called in public; `same` where they are English words anyway. */
  readonly publicly?: Vocabulary | 'same';
  /** Whether its value is one of a closed set. */
  readonly closed?: boolean;
  /** JSON schema of a value that is no object of another class, of one element where it is a list of those. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** A blank value has the right shape and no meaning: it is refused after validation, with 400. */
  readonly meaningful?: boolean;
}

const registry = new Map<object, Field[]>();

/** `minSimilarity` is `min_similarity` on the wire; internal routes give their own name. */
export const snakeCase = (property: string): string =>
  property.replace(/([a-z0-9])([A-Z])/g, (_, before: string, after: string) => `${before}_${after.toLowerCase()}`);

export const registerField = (prototype: object, field: Field): void => {
  const own = registry.get(prototype) ?? [];
  if (own.some((other) => other.wire === field.wire))
    throw new Error(`${prototype.constructor.name} declares the wire name ${field.wire} twice.`);
  registry.set(prototype, [...own, field]);
};

const collected = new Map<Type, readonly Field[]>();

/** The declared fields of a class, inherited ones first. */
export const fieldsOf = (type: Type): readonly Field[] => {
  const known = collected.get(type);
  if (known !== undefined) return known;
  const fields: Field[] = [];
  for (let proto: object | null = type.prototype as object; proto !== null; proto = Object.getPrototypeOf(proto))
    fields.unshift(...(registry.get(proto) ?? []));
  collected.set(type, fields);
  return fields;
};
