import type { Type } from '@nestjs/common';
import type { Vocabulary } from '@acervo/public-mapping';
import type { Named } from './names';

/** One decorated property: the only source of its wire name, its nesting and its absence. */
export interface Field {
  readonly property: string;
  readonly wire: string;
  /** Its name in operations; null: operations do not show it. */
  readonly publicName: string | null;
  /** Whether it may be absent in operations. */
  readonly publiclyOptional: boolean;
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly list: boolean;
  /** Query strings carry text only; these kinds are read from it. */
  readonly fromText?: 'integer' | 'number' | 'flag';
  readonly fallback?: unknown;
  /** A query string may give the elements of the list in one text, with commas between them. */
  readonly separated?: boolean;
  readonly of?: () => Type;
  readonly vocabulary?: Vocabulary;
  /** The one spelling that decoding keeps of texts that name the same thing. */
  readonly canonical?: (text: string) => string;
  /** Public names of codes that travel unchanged internally; `same` where the codes are English words already. */
  readonly publicly?: Vocabulary | 'same';
  /** Whether its value is one of a closed set. */
  readonly closed?: boolean;
  /** Whether its value is an object of unknown shape, or a list of those. */
  readonly open?: boolean;
  /** JSON schema of a value that is no object of another class; for a list, of one element. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** A text without meaning has the right shape: validation is followed by a refusal with 400. */
  readonly isMeaningful?: (text: string) => boolean;
  /** The thing that its value names, if it is an identifier. */
  readonly names?: Named;
}

const registry = new Map<object, Field[]>();

/** `minSimilarity` is `min_similarity` on the wire; internal routes define their own name. */
export const snakeCase = (property: string): string =>
  property.replace(/([a-z0-9])([A-Z])/g, (_, before: string, after: string) => `${before}_${after.toLowerCase()}`);

export const registerField = (prototype: object, field: Field): void => {
  const declared = registry.get(prototype) ?? [];
  if (declared.some((other) => other.wire === field.wire))
    throw new Error(`${prototype.constructor.name} declares the wire name ${field.wire} twice.`);
  registry.set(prototype, [...declared, field]);
};

const collected = new Map<Type, readonly Field[]>();

/** The declared fields of a class, inherited ones first. */
export const fieldsOf = (type: Type): readonly Field[] => {
  const cached = collected.get(type);
  if (cached !== undefined) return cached;
  const fields: Field[] = [];
  for (let proto: object | null = type.prototype as object; proto !== null; proto = Object.getPrototypeOf(proto))
    fields.unshift(...(registry.get(proto) ?? []));
  collected.set(type, fields);
  return fields;
};
