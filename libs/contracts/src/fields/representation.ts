import { FieldMappingMissing, type Vocabulary } from '@acervo/public-mapping';
import type { Field } from './registry';

/** The names and codes of an object: those of its wire, or those that operations publish. */
export type Representation = 'wire' | 'public';

/** The name of a field in a representation; null where the representation does not show the field. */
export const nameIn = (field: Field, representation: Representation = 'wire'): string | null =>
  representation === 'wire' ? field.wire : field.publicName;

/** Whether a representation may lack a field. */
export const isOptionalIn = (field: Field, representation: Representation = 'wire'): boolean =>
  representation === 'wire' ? field.optional : field.publiclyOptional;

/** The table that translates the codes of a field. @throws FieldMappingMissing for codes that have no public names. */
export const vocabularyIn = (field: Field, representation: Representation = 'wire'): Vocabulary | undefined => {
  if (representation === 'wire' || field.closed !== true) return field.vocabulary;
  if (field.publicly === undefined) throw new FieldMappingMissing(field.property);
  return field.publicly === 'same' ? undefined : field.publicly;
};
