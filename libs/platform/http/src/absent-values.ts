import { orNull } from '@acervo/contracts';

/** An object of a description. */
export type Node = Record<string, unknown>;
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of the schemas that a part of a description refers to, at any depth. */
const reached = (part: unknown, schemas: Node, found = new Set<string>()): ReadonlySet<string> => {
  const children: readonly unknown[] = Array.isArray(part) ? part : isNode(part) ? Object.values(part) : [];
  const reference = isNode(part) ? part['$ref'] : undefined;
  const name = typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
  if (name !== undefined && !found.has(name)) {
    found.add(name);
    reached(schemas[name], schemas, found);
  }
  for (const child of children) reached(child, schemas, found);
  return found;
};

/** Nest refers to a schema by `allOf`; a property that admits null already has a list of types. */
const admittingNull = (property: Node): Node => {
  const { allOf, ...rest } = property;
  if (Array.isArray(allOf)) return { ...rest, anyOf: [...(allOf as unknown[]), { type: 'null' }] };
  return typeof property['type'] === 'string' ? orNull(property) : property;
};

const withNulls = (schema: Node): Node => {
  const required = (schema['required'] ?? []) as readonly string[];
  const properties = Object.fromEntries(
    Object.entries((schema['properties'] ?? {}) as Node).map(([name, property]) => [
      name,
      required.includes(name) || !isNode(property) ? property : admittingNull(property),
    ]),
  );
  return { ...schema, properties };
};

/**
 * Lets the bodies of requests have null for what they may lack, as `decode` reads it. A schema that answers use as well
 * stays as answers have it.
 */
export const acceptingNull = (paths: Node, schemas: Node): Node => {
  const operations = Object.values(paths).flatMap((item) => Object.values(item as Node)) as readonly Node[];
  const [sent, answered] = ['requestBody', 'responses'].map((part) =>
    reached(
      operations.map((operation) => operation[part]),
      schemas,
    ),
  );
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const isSent = sent?.has(name) === true && answered?.has(name) !== true;
      return [name, isSent && isNode(schema) ? withNulls(schema) : schema];
    }),
  );
};
