import type { HttpServer, INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { acceptingNull, isNode, type Node } from './absent-values';
import { listenerOfPath } from './paths';
import { errorResponses, errorSchema, errorsOf } from './published-errors';
import { exampleFields, withExample } from './route-description';

/** Closes every object schema, at each depth. The generator writes null in the style of 3.1. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed);
  if (!isNode(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closed(child)]));
  return inner['type'] === 'object' && isNode(inner['properties']) ? { ...inner, additionalProperties: false } : inner;
};

/** A body whose fields are all optional is optional itself. */
const bodyOf = ({ requestBody }: Node, schemas: Node): Node => {
  if (!isNode(requestBody)) return {};
  const content = requestBody['content'] as { 'application/json'?: { schema: { $ref?: string } } };
  const schema = schemas[content['application/json']?.schema.$ref?.split('/').at(-1) ?? ''];
  const mayLack = isNode(schema) && ((schema['required'] ?? []) as unknown[]).length === 0;
  return { requestBody: mayLack ? { ...requestBody, required: false } : requestBody };
};

/** An operation with its example, its body and the errors that it may answer. */
const publishedOperation = (path: string, operation: Node, schemas: Node): Node => {
  const { example, errors, described } = exampleFields(operation);
  const { responses, ...rest } = withExample({ ...described, ...bodyOf(described, schemas) }, example);
  const traits = {
    isProtected: described['security'] !== undefined,
    hasInput: described['requestBody'] !== undefined || ((described['parameters'] ?? []) as unknown[]).length > 0,
    namesResource: path.includes('{'),
    more: errors,
  };
  return { ...rest, responses: { ...(responses as Node), ...errorsOf(traits) } };
};

/** The paths of the public server. */
const published = (paths: Node, schemas: Node): Node =>
  Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => listenerOfPath(path) === 'public')
      .map(([path, item]) => [
        path,
        Object.fromEntries(
          Object.entries(item as Node).map(([method, operation]) => [
            method,
            publishedOperation(path, operation as Node, schemas),
          ]),
        ),
      ]),
  );

/** What a description says of the whole, beside its routes. */
export interface DescriptionTexts {
  readonly version: string;
  /** What the routes of each tag are for. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The published description of an app: OpenAPI 3.1, every schema closed, every answer with its error envelope. */
export const openApiDocument = (app: INestApplication, { version, tags = {} }: DescriptionTexts): OpenAPIObject => {
  const builder = new DocumentBuilder()
    .setTitle('Acervo')
    .setDescription('Retrieval over an organisation’s own documents, with citations, inside group, entity and area.')
    .setVersion(version)
    .setOpenAPIVersion('3.1.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'The server that this description comes from')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key or an access token' }, 'credential');
  for (const [name, description] of Object.entries(tags)) builder.addTag(name, description);
  const config = builder.build();
  const document = SwaggerModule.createDocument(app, config, { operationIdFactory: (_controller, method) => method });
  const tidied = closed(document) as Node;
  const components = isNode(tidied['components']) ? tidied['components'] : {};
  const schemas = isNode(components['schemas']) ? components['schemas'] : {};
  const paths = tidied['paths'] as Node;
  return {
    ...document,
    paths: published(paths, schemas) as OpenAPIObject['paths'],
    components: {
      ...components,
      responses: errorResponses,
      schemas: { ...acceptingNull(paths, schemas), Error: errorSchema },
    } as NonNullable<OpenAPIObject['components']>,
  };
};

const lazily = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

/**
 * Serves the description at `/openapi.json` and a readable reference at `/docs`.
 * @param describe builds the description at its first request; most starts are never asked for it
 */
export const serveDocs = (app: INestApplication, describe: () => OpenAPIObject): void => {
  const once = lazily(describe);
  const bytes = lazily(() => Buffer.from(JSON.stringify(once())));
  const http: HttpServer<Request, Response> = app.getHttpAdapter();
  // One copy in memory for all readers: one that reads slowly would hold its own for as long as it likes.
  http.get('/openapi.json', (_request: Request, response: Response) => response.type('application/json').send(bytes()));
  SwaggerModule.setup('docs', app, once, { raw: false, customSiteTitle: 'Acervo' });
};
