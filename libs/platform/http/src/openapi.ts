import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { publicErrors } from '@acervo/public-mapping';
import { listenerOfPath } from './paths';

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Closes every object schema, at each depth. The generator writes null in the style of 3.1. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed);
  if (!isNode(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closed(child)]));
  return inner['type'] === 'object' && isNode(inner['properties']) ? { ...inner, additionalProperties: false } : inner;
};

const errorSchema = {
  type: 'object',
  description: 'What every answer of /v1 says that is not a success',
  additionalProperties: false,
  required: ['code', 'message', 'details', 'request_id'],
  properties: {
    code: { type: 'string', enum: Object.keys(publicErrors), description: 'What went wrong' },
    message: { type: 'string', description: 'The fixed sentence of the code' },
    details: { type: 'object', additionalProperties: true, description: 'Declared names and counts, usually none' },
    request_id: { type: 'string', description: 'The X-Request-Id of the request, or one that was given to it' },
  },
};

const errorAnswer = {
  description: 'An error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** A body whose fields are all optional is optional itself. */
const bodyOf = ({ requestBody }: Node, schemas: Node): Node => {
  if (!isNode(requestBody)) return {};
  const content = requestBody['content'] as { 'application/json'?: { schema: { $ref?: string } } };
  const schema = schemas[content['application/json']?.schema.$ref?.split('/').at(-1) ?? ''];
  const mayLack = isNode(schema) && ((schema['required'] ?? []) as unknown[]).length === 0;
  return { requestBody: mayLack ? { ...requestBody, required: false } : requestBody };
};

/** The paths of the public server, with the error envelope on every operation. */
const published = (paths: Node, schemas: Node): Node =>
  Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => listenerOfPath(path) === 'public')
      .map(([path, item]) => [
        path,
        Object.fromEntries(
          Object.entries(item as Node).map(([method, operation]) => {
            const { responses, ...rest } = operation as Node;
            const body = bodyOf(rest, schemas);
            return [method, { ...rest, ...body, responses: { ...(responses as Node), default: errorAnswer } }];
          }),
        ),
      ]),
  );

/** The published description of an app: OpenAPI 3.1, every schema closed, every answer with its error envelope. */
export const openApiDocument = (app: INestApplication, version: string): OpenAPIObject => {
  const config = new DocumentBuilder()
    .setTitle('Acervo')
    .setDescription('Retrieval over an organisation’s own documents, with citations, inside group, entity and area.')
    .setVersion(version)
    .setOpenAPIVersion('3.1.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key or an access token' }, 'credential')
    .build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: (_controller, method) => method });
  const tidied = closed(document) as Node;
  const components = isNode(tidied['components']) ? tidied['components'] : {};
  const schemas = isNode(components['schemas']) ? components['schemas'] : {};
  return {
    ...document,
    paths: published(tidied['paths'] as Node, schemas) as OpenAPIObject['paths'],
    components: { ...components, schemas: { ...schemas, Error: errorSchema } },
  };
};

/**
 * Serves the description at `/openapi.json` and a readable reference at `/docs`.
 * @param describe builds the description at its first request; most starts are never asked for it
 */
export const serveDocs = (app: INestApplication, describe: () => OpenAPIObject): void => {
  SwaggerModule.setup('docs', app, describe, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Acervo',
  });
};
