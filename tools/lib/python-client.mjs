// The generated part of the Python client: types of every schema, a table of the routes, and a method for each.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './options.mjs';

const FOLDER = join(root, 'clients', 'python', 'src', 'acervo', '_generated');
const DESCRIPTION = join(root, 'docs', 'openapi.json');
const FILES = ['models.py', 'routes.py', 'methods.py'];

// Arguments of every method, beside the fields of its input.
const OPTIONS = ['request_id', 'idempotency_key'];
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

const SCALARS = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };

const textOf = (value) => JSON.stringify(value);
const docOf = (text) => `"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '\\"')}"""`;
const nameOf = (reference) => reference.split('/').at(-1);
const unionOf = (types) => [...new Set(types)].join(' | ');
const literalOf = (value) =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : textOf(value);
const snakeOf = (id) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascalOf = (id) => `${id[0].toUpperCase()}${id.slice(1)}`;

/** The annotation of a schema. @throws for a shape that the description does not have today */
const typeOf = (schema) => {
  const { $ref, allOf, anyOf, type } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (allOf?.length === 1) return typeOf(allOf[0]);
  if (anyOf !== undefined) return unionOf(anyOf.map(typeOf));
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literalOf).join(', ')}]`;
  if (Array.isArray(type)) return unionOf(type.map((each) => typeOf({ ...schema, type: each })));
  if (type === 'array') return `list[${typeOf(schema.items)}]`;
  if (type === 'object' && schema.properties === undefined)
    return `dict[str, ${typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties) : 'Any'}]`;
  if (SCALARS[type] === undefined) throw new Error(`Python has no type for ${JSON.stringify(schema)}.`);
  return SCALARS[type];
};

const fieldsOf = ({ properties = {}, required = [] }) =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    type: required.includes(name) ? typeOf(schema) : `NotRequired[${typeOf(schema)}]`,
    description: schema.description,
  }));

const classOf = (name, fields, description) => [
  `class ${name}(TypedDict):`,
  ...(description === undefined ? [] : [`    ${docOf(description)}`, '']),
  ...fields.flatMap((field) => [
    `    ${field.name}: ${field.type}`,
    ...(field.description === undefined ? [] : [`    ${docOf(field.description)}`]),
  ]),
  ...(fields.length === 0 && description === undefined ? ['    pass'] : []),
];

/** A name that Python reserves is a key all the same. */
const dictionaryOf = (name, fields) => [
  `${name} = TypedDict(`,
  `    ${textOf(name)},`,
  `    {${fields.map((field) => `${textOf(field.name)}: ${textOf(field.type)}`).join(', ')}},`,
  ')',
];

const modelOf = (name, fields, description) =>
  (fields.some((field) => KEYWORDS.has(field.name)) ? dictionaryOf : classOf)(name, fields, description).join('\n');

const operationsOf = ({ paths, components }) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const { operationId: id, parameters = [], requestBody, responses, summary, description } = operation;
      const body = requestBody?.content['application/json'].schema;
      const model = body?.$ref === undefined ? {} : components.schemas[nameOf(body.$ref)];
      const named = (place) => parameters.filter((parameter) => parameter.in === place);
      const ofAddress = parameters.filter((parameter) => parameter.in === 'path' || parameter.in === 'query');
      const input = {
        properties: {
          ...Object.fromEntries(
            ofAddress.map((each) => [each.name, { ...each.schema, description: each.description }]),
          ),
          ...model.properties,
        },
        required: [...ofAddress.filter(({ required }) => required).map(({ name }) => name), ...(model.required ?? [])],
      };
      return {
        ...{ id, path, method: method.toUpperCase(), input: fieldsOf(input), summary, description },
        answer: responses['200'].content['application/json'].schema,
        query: named('query').map(({ name }) => name),
        hasBody: body !== undefined,
        isKeyed: named('header').some(({ name }) => name === 'Idempotency-Key'),
      };
    }),
  );

const models = ({ components, paths }) => [
  'from __future__ import annotations',
  '',
  'from typing import Any, Literal',
  '',
  'from typing_extensions import NotRequired, TypedDict',
  ...Object.entries(components.schemas).map(
    ([name, schema]) => `\n\n${modelOf(name, fieldsOf(schema), schema.description)}`,
  ),
  ...operationsOf({ components, paths })
    .filter(({ input }) => input.length > 0)
    .map(({ id, input }) => `\n\n${modelOf(`${pascalOf(id)}Input`, input, `The input of ${snakeOf(id)}.`)}`),
];

const tupleOf = (names) => `(${names.map(textOf).join(', ')}${names.length === 1 ? ',' : ''})`;

const routes = (document) => [
  'from __future__ import annotations',
  '',
  'from typing import NamedTuple',
  '',
  '',
  'class Route(NamedTuple):',
  '    """One route of the API, as its published description has it."""',
  '',
  '    method: str',
  '    path: str',
  '    """Path with its parameters in braces."""',
  '    query: tuple[str, ...]',
  '    has_body: bool',
  '    is_keyed: bool',
  '    """Whether requests carry an idempotency key: a repeated one has one effect."""',
  '',
  '',
  'ROUTES: dict[str, Route] = {',
  ...operationsOf(document).map(
    ({ id, method, path, query, hasBody, isKeyed }) =>
      `    ${textOf(snakeOf(id))}: Route(${textOf(method)}, ${textOf(path)}, ${tupleOf(query)}, ${literalOf(hasBody)}, ${literalOf(isKeyed)}),`,
  ),
  '}',
];

const answerOf = ({ $ref }) => ($ref === undefined ? 'dict[str, Any]' : `models.${nameOf($ref)}`);

const methodOf = (operation, isAsync) => {
  const { id, input, answer, isKeyed, summary, description } = operation;
  const name = snakeOf(id);
  const clash = [...input.map((field) => field.name), name].find((each) => OPTIONS.includes(each) || each === 'self');
  if (clash !== undefined) throw new Error(`${id}: ${clash} is an option of every method.`);
  const options = isKeyed ? OPTIONS : OPTIONS.slice(0, 1);
  const sent = input.length > 0 ? 'input' : '{}';
  return [
    `    ${isAsync ? 'async ' : ''}def ${name}(`,
    '        self,',
    '        *,',
    ...options.map((option) => `        ${option}: str | None = None,`),
    ...(input.length > 0 ? [`        **input: Unpack[models.${pascalOf(id)}Input],`] : []),
    `    ) -> ${answerOf(answer)}:`,
    `        ${docOf([summary, description].filter(Boolean).join('\n\n        '))}`,
    `        answer: ${answerOf(answer)} = ${isAsync ? 'await ' : ''}self.call(`,
    `            ${[textOf(name), sent, ...options.map((option) => `${option}=${option}`)].join(', ')}`,
    '        )',
    '        return answer',
  ].join('\n');
};

const classOfMethods = (name, operations, isAsync) => [
  `class ${name}:`,
  '    """A method for each route: the name of its operationId in the letters of Python."""',
  '',
  `    ${isAsync ? 'async ' : ''}def call(`,
  '        self,',
  '        operation: str,',
  '        input: Mapping[str, object],',
  '        *,',
  '        request_id: str | None = None,',
  '        idempotency_key: str | None = None,',
  '    ) -> Any:',
  '        raise NotImplementedError',
  ...operations.map((operation) => `\n${methodOf(operation, isAsync)}`),
];

const methods = (document) => [
  'from __future__ import annotations',
  '',
  'from collections.abc import Mapping',
  'from typing import Any',
  '',
  'from typing_extensions import Unpack',
  '',
  'from . import models',
  '',
  '',
  ...classOfMethods('Methods', operationsOf(document), false),
  '',
  '',
  ...classOfMethods('AsyncMethods', operationsOf(document), true),
];

const headOf = () => {
  const digest = createHash('sha256').update(readFileSync(DESCRIPTION)).digest('hex');
  return `# Generated by npm run openapi from docs/openapi.json, SHA-256 ${digest}.\n`;
};

/** The generated files by name, as `docs/openapi.json` has them. */
const generated = () => {
  const document = JSON.parse(readFileSync(DESCRIPTION, 'utf8'));
  const lines = { 'models.py': models(document), 'routes.py': routes(document), 'methods.py': methods(document) };
  return Object.fromEntries(FILES.map((name) => [name, `${headOf()}${lines[name].join('\n')}\n`]));
};

/** Writes the generated part from `docs/openapi.json`. */
export const writePythonClient = () => {
  for (const [name, text] of Object.entries(generated())) writeFileSync(join(FOLDER, name), text);
};

/** What keeps the generated part from being that of the description. */
export const pythonClientProblems = () =>
  Object.entries(generated())
    .filter(([name, text]) => readFileSync(join(FOLDER, name), 'utf8') !== text)
    .map(([name]) => `clients/python: ${name} is not of docs/openapi.json: npm run openapi writes it.`);
