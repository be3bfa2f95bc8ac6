import { type Schema, within } from './bounds';
import { foreign } from './other-group';

/** What a field names that belongs to a group: the value that another group has for it. */
const kinds: readonly (readonly [RegExp, string | number | null])[] = [
  // What the caller chooses for something new, and words that belong to all groups.
  [/^(entities|areas|users)\.create code$/, null],
  [/ (function_code|parameter_code|default_application|parameters\.parameter_code)$/, null],
  [/^locations\.list parent_code$/, foreign.location_code],
  [/^areas\.\w+ parent_code$/, foreign.area_code],
  [/ (entity_code|default_entity|entities)$/, foreign.entity_code],
  [/ (area_code|default_area)$/, foreign.area_code],
  [/ location_code$/, foreign.location_code],
  [/ document_codes?$/, foreign.document_code],
  [/ run$/, foreign.run],
  [/ (places\.)?role_code$/, foreign.role_code],
  [/ group_code$/, foreign.group_code],
  [/^users\.\w+ code$/, foreign.code],
];

const IS_NAME = /(^|[._])(codes?|run|entities|default_\w+)$/;

/** A field that names something of a group, and the value with which it names what another group has. */
export interface Identifier {
  readonly path: string;
  readonly value: unknown;
}

const valueFor = (code: string, path: string): string | number | null => {
  const found = kinds.find(([pattern]) => pattern.test(`${code} ${path}`));
  if (found === undefined) throw new Error(`Say in identifiers.ts what ${path} of ${code} names.`);
  return found[1];
};

/** Every field of an input that names something of a group; one that nobody said anything about fails the suite. */
export const identifiersIn = (code: string, { properties }: Schema): Identifier[] =>
  Object.entries(properties).flatMap(([field, { items, maxItems }]): Identifier[] => {
    const below = Object.keys(items?.properties ?? {}).filter((name) => IS_NAME.test(name));
    const named = below.flatMap((name): Identifier[] => {
      const value = valueFor(code, `${field}.${name}`);
      const others = Object.entries(items?.properties ?? {}).map(([each, bounds]) => [each, within(bounds)] as const);
      return value === null
        ? []
        : [{ path: `${field}.${name}`, value: [{ ...Object.fromEntries(others), [name]: value }] }];
    });
    if (!IS_NAME.test(field)) return named;
    const value = valueFor(code, field);
    if (value === null) return named;
    return [...named, { path: field, value: maxItems === undefined ? value : [value] }];
  });
