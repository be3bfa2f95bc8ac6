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

type Direction = 'input' | 'output';

const objects = (of: Type, { list, schema: { maxItems } }: Field, as: Representation, to: Direction): JsonSchema =>
  list ? { type: 'array', items: schemaOf(of, as, to), maxItems } : schemaOf(of, as, to);

/** The schema, or null. @param schema of one type */
export const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema['type'], 'null'],
  ...(Array.isArray(schema['enum']) ? { enum: [...(schema['enum'] as readonly unknown[]), null] } : {}),
});

const ofField = (field: Field, as: Representation, to: Direction): JsonSchema => {
  const schema = field.of === undefined ? fieldSchema(field, as) : objects(field.of(), field, as, to);
  const admitsNull = field.nullable || (to === 'input' && isOptionalIn(field, as));
  return { ...(admitsNull ? orNull(schema) : schema), description: field.schema['description'] };
};

const schemaOf = (type: Type, as: Representation, to: Direction): JsonSchema => {
  const fields = fieldsOf(type).flatMap((field) => {
    const name = nameIn(field, as);
    return name === null ? [] : [{ name, field }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, field }) => [name, ofField(field, as, to)])),
    required: fields.filter(({ field }) => !isOptionalIn(field, as)).map(({ name }) => name),
    additionalProperties: false,
  };
};

/** The closed schema of a class in a representation, with all nested schemas inline. */
export const jsonSchemaOf = (type: Type, representation: Representation): JsonSchema =>
  schemaOf(type, representation, 'output');

/** The same of what is sent: null stands for an absent value, too. */
export const inputSchemaOf = (type: Type, representation: Representation): JsonSchema =>
  schemaOf(type, representation, 'input');
