import type { Type } from '@nestjs/common';
import { type Field, fieldsOf } from './registry';
import { isOptionalIn, nameIn, type Representation, vocabularyIn } from './representation';

/** A JSON schema, as OpenAPI 3.1 and agents read it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a field without nesting, its closed codes translated; codes of a vocabulary are registered translated. */
const fieldSchema = (field: Field, representation: Representation): JsonSchema => {
  const vocabulary = field.closed === true ? vocabularyIn(field, representation) : undefined;
  const codes = field.schema['enum'] as readonly string[] | undefined;
  if (vocabulary === undefined || codes === undefined) return field.schema;
  return { ...field.schema, enum: codes.map((code) => vocabulary.toPublic(code)) };
};

const objects = (of: Type, { list, schema: { maxItems } }: Field, representation: Representation): JsonSchema =>
  list ? { type: 'array', items: jsonSchemaOf(of, representation), maxItems } : jsonSchemaOf(of, representation);

const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema['type'], 'null'],
  ...(Array.isArray(schema['enum']) ? { enum: [...(schema['enum'] as readonly unknown[]), null] } : {}),
});

const ofField = (field: Field, representation: Representation): JsonSchema => {
  const schema =
    field.of === undefined ? fieldSchema(field, representation) : objects(field.of(), field, representation);
  return { ...(field.nullable ? orNull(schema) : schema), description: field.schema['description'] };
};

/** The closed schema of a class in a representation, with all nested schemas inline. */
export const jsonSchemaOf = (type: Type, representation: Representation): JsonSchema => {
  const fields = fieldsOf(type).flatMap((field) => {
    const name = nameIn(field, representation);
    return name === null ? [] : [{ name, field }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, field }) => [name, ofField(field, representation)])),
    required: fields.filter(({ field }) => !isOptionalIn(field, representation)).map(({ name }) => name),
    additionalProperties: false,
  };
};
