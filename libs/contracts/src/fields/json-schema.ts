import type { Type } from '@nestjs/common';
import { type Face, nameOn, vocabularyOn } from './codec';
import { type Field, fieldsOf } from './registry';

/** A JSON schema, as OpenAPI 3.1 and agents read it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Codes that travel as they are inside are written as this face calls them; those of vocabularies are so already. */
const plain = (field: Field, face: Face): JsonSchema => {
  const vocabulary = field.closed === true ? vocabularyOn(field, face) : undefined;
  const codes = field.schema['enum'] as readonly string[] | undefined;
  if (vocabulary === undefined || codes === undefined) return field.schema;
  return { ...field.schema, enum: codes.map((code) => vocabulary.toPublic(code)) };
};

const objects = (of: Type, { list, schema: { maxItems } }: Field, face: Face): JsonSchema =>
  list ? { type: 'array', items: jsonSchemaOf(of, face), maxItems } : jsonSchemaOf(of, face);

const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema['type'], 'null'],
  ...(Array.isArray(schema['enum']) ? { enum: [...(schema['enum'] as readonly unknown[]), null] } : {}),
});

const ofField = (field: Field, face: Face): JsonSchema => {
  const schema = field.of === undefined ? plain(field, face) : objects(field.of(), field, face);
  return { ...(field.nullable ? orNull(schema) : schema), description: field.schema['description'] };
};

const isOptional = ({ optional, publiclyOptional }: Field, face: Face): boolean =>
  face === 'public' ? publiclyOptional : optional;

/** The closed schema of a class on a face, everything below it written out in place. */
export const jsonSchemaOf = (type: Type, face: Face): JsonSchema => {
  const fields = fieldsOf(type).flatMap((field) => {
    const name = nameOn(field, face);
    return name === null ? [] : [{ name, field }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, field }) => [name, ofField(field, face)])),
    required: fields.filter(({ field }) => !isOptional(field, face)).map(({ name }) => name),
    additionalProperties: false,
  };
};
