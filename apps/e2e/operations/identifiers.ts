import { allOperations, type Field, fieldsOf, jsonSchemaOf, type Named, type Operation } from '@acervo/contracts';
import { type Bounds, within } from './bounds';
import { foreign } from './other-group';

/** A field that names something, and an identifier that the caller's group does not have. */
export interface Identifier {
  readonly path: string;
  readonly value: unknown;
}

/** Words outside the product catalogue. The operation code only filters lists and is never looked up. */
const unknownWords = {
  ...{ application: 'NADA', function: 'NADA', operation: null },
  ...{ parameter: 'NADA', skill: 'NADA' },
} as const;

/** The value to try for a field; null if the sender chooses the identifier, or no handler looks it up. */
const valueFor = (path: string, named: Named): string | number | null => {
  if (named.startsWith('new ')) return null;
  const value = { ...foreign, ...unknownWords }[named as keyof typeof foreign | keyof typeof unknownWords];
  if (value === undefined) throw new Error(`Give the other group a ${named} in other-group.ts; ${path} names one.`);
  return value;
};

const ofElement = (path: string, type: Operation['input']): Identifier[] => {
  const { properties } = jsonSchemaOf(type, 'public') as { properties: Record<string, Bounds> };
  const element = Object.fromEntries(Object.entries(properties).map(([name, bounds]) => [name, within(bounds)]));
  return fieldsOf(type)
    .flatMap((field) => ofField(`${path}.`, field))
    .map((found) => ({ path: found.path, value: [{ ...element, [found.path.slice(path.length + 1)]: found.value }] }));
};

const ofField = (prefix: string, { publicName, names, of, list }: Field): Identifier[] => {
  if (publicName === null) return [];
  const path = `${prefix}${publicName}`;
  // Criteria: an unknown code is no error there, it matches nothing.
  if (of !== undefined && !list) return [];
  if (of !== undefined) return ofElement(path, of());
  const value = names === undefined ? null : valueFor(path, names);
  return value === null ? [] : [{ path, value: list ? [value] : value }];
};

/** Every field of an operation's input that names something a caller may lack. */
export const identifiersIn = (code: string): Identifier[] => {
  const operation = allOperations().find((each) => each.code === code);
  if (operation === undefined) throw new Error(`${code} is no declared operation.`);
  return fieldsOf(operation.input).flatMap((field) => ofField('', field));
};
