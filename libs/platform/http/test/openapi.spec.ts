import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import { type PublicErrorCode, publicErrors } from '@acervo/public-mapping';
import { openApiDocument, serve, serveDocs } from '../src';
import { asksThing, testApp, type TestApp } from './support';

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object in a document, with the path to it. */
const nodesOf = (value: unknown, path = ''): [string, Node][] => {
  if (Array.isArray(value)) return value.flatMap((child, index) => nodesOf(child, `${path}/${index}`));
  if (!isNode(value)) return [];
  return [[path, value], ...Object.entries(value).flatMap(([key, child]) => nodesOf(child, `${path}/${key}`))];
};

const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((node, key) => (isNode(node) ? node[key] : undefined), value);

/** The properties of a schema that may be null. */
const nullsOf = (description: unknown, schema: string): string[] =>
  Object.entries(at(description, 'components', 'schemas', schema, 'properties') as Node)
    .filter(([, property]) => /"null"/.test(JSON.stringify([at(property, 'type'), at(property, 'anyOf')])))
    .map(([name]) => name);

let http: TestApp;
let document: unknown;
let built = 0;
let builtAtStart: number;
beforeAll(async () => {
  const describeApp = (app: INestApplication) => {
    built += 1;
    return openApiDocument(app, { version: '1.2.3' });
  };
  http = await testApp({ prepare: (app) => serveDocs(app, () => describeApp(app)) });
  builtAtStart = built;
  document = (await request(http.handler).get('/openapi.json').expect(200)).body;
});
afterAll(() => http.close());

describe('the published description', () => {
  it('the first request builds the description, and the start does not', async () => {
    await request(http.handler).get('/openapi.json').expect(200);
    expect({ builtAtStart, built }).toEqual({ builtAtStart: 0, built: 1 });
  });
  it('the description is OpenAPI 3.1 with the version of the app', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Acervo', version: '1.2.3' } });
  });
  it('every object with properties is closed', () => {
    const objects = nodesOf(document).filter(([, node]) => node['type'] === 'object' && isNode(node['properties']));
    expect(objects.length).toBeGreaterThan(3);
    expect(objects.filter(([, node]) => node['additionalProperties'] !== false)).toEqual([]);
  });
  it('the description contains no `nullable`', () => {
    expect(nodesOf(document).filter(([, node]) => typeof node['nullable'] === 'boolean')).toEqual([]);
  });
  it('the description omits internal routes', () => {
    expect(Object.keys(at(document, 'paths') as Node)).toEqual(expect.arrayContaining(['/v1/things', '/documentos']));
    expect(JSON.stringify(document)).not.toContain('/internal/');
  });
  it('every reference in the description resolves', () => {
    const references = nodesOf(document).flatMap(([, node]) =>
      typeof node['$ref'] === 'string' ? [node['$ref']] : [],
    );
    expect(references.length).toBeGreaterThan(0);
    expect(references.filter((reference) => !isNode(at(document, ...reference.slice(2).split('/'))))).toEqual([]);
  });
  it('the description contains bounds, defaults, vocabularies and null', () => {
    const [question, thing] = ['Question', 'Thing'].map((name) => at(document, 'components', 'schemas', name));
    expect(question).toMatchObject({
      required: ['query'],
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 20, description: 'What to look for' },
        limit: { type: ['integer', 'null'], minimum: 1, maximum: 100, default: 10 },
      },
    });
    expect(thing).toMatchObject({ required: ['display_name', 'count', 'status', 'part'] });
    expect(at(thing, 'properties', 'status')).toMatchObject({
      type: ['string', 'null'],
      enum: expect.arrayContaining(['VECTORIZED', null]) as unknown,
    });
  });
  it('a body may have null for what it may lack, an answer may not', () => {
    const [question, thing, part] = ['Question', 'Thing', 'Part'].map((name) => nullsOf(document, name));
    expect(question).toEqual(['limit', 'main', 'parts']);
    expect(thing).toEqual(['status', 'part']);
    expect(part).toEqual([]);
  });
  it.each([
    ['Thing', 'part', false],
    ['Question', 'main', false],
    ['Question', 'parts', true],
  ])('the description lets %s.%s be null or its type', (schema, property, list) => {
    const node = at(document, 'components', 'schemas', schema, 'properties', property);
    const reference = { $ref: '#/components/schemas/Part' };
    expect(node).toMatchObject(
      list ? { type: ['array', 'null'], items: reference, maxItems: 3 } : { anyOf: [reference, { type: 'null' }] },
    );
  });
  it('query and path parameters come from their classes', () => {
    expect(at(document, 'paths', '/v1/things', 'get', 'parameters')).toMatchObject([
      { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 9, default: 1 } },
      { name: 'status', in: 'query', required: false },
    ]);
    expect(at(document, 'paths', '/v1/things/{thing_code}', 'get', 'parameters')).toMatchObject([
      { name: 'thing_code', in: 'path', required: true, schema: { type: 'string', maxLength: 120 } },
    ]);
  });
  it('a body is required where one of its fields is required', async () => {
    expect(at(document, 'paths', '/v1/things', 'post', 'requestBody', 'required')).toBe(true);
    expect(at(document, 'paths', '/v1/things', 'put', 'requestBody', 'required')).toBe(false);
    const asked = (method: 'post' | 'put'): request.Test =>
      request(http.handler)[method]('/v1/things').set('Authorization', 'Bearer session');
    await asked('post').expect(422);
    await asked('put').expect(200);
  });
  it('every operation has its answer and the error envelope', () => {
    const operations = Object.values(at(document, 'paths') as Node).flatMap((item) => Object.values(item as Node));
    expect(operations.length).toBeGreaterThan(5);
    for (const operation of operations) {
      const content = ['content', 'application/json', 'schema', '$ref'];
      expect(at(operation, 'responses', '200', ...content)).toBe('#/components/schemas/Thing');
      expect(at(operation, 'responses', 'default', ...content)).toBe('#/components/schemas/Error');
    }
  });
  it('an operation shows the example of its route, in its body and its answer', () => {
    const operation = at(document, 'paths', '/v1/things', 'post');
    const { summary, description, example } = asksThing;
    expect(operation).toMatchObject({ summary, description });
    expect(at(operation, 'requestBody', 'content', 'application/json', 'example')).toEqual(example.request);
    expect(at(operation, 'responses', '200', 'content', 'application/json', 'example')).toEqual(example.answer);
    expect(JSON.stringify(document)).not.toContain('x-acervo');
  });
  it.each([
    ['/v1/things', 'post', '200 400 401 402 403 409 422 429 500 503 default'],
    ['/v1/things/{thing_code}', 'get', '200 400 401 403 404 409 422 429 500 503 default'],
    ['/documentos', 'get', '200 429 500 503 default'],
  ])('%s %s lists the errors that its shape implies', (path, method, statuses) => {
    const responses = at(document, 'paths', path, method, 'responses') as Node;
    expect(Object.keys(responses).join(' ')).toBe(statuses);
  });
  it('each code of the contract has an example under its own status', () => {
    const shown = Object.values(at(document, 'components', 'responses') as Node).flatMap((response) =>
      Object.entries(at(response, 'content', 'application/json', 'examples') as Node),
    );
    expect([...new Set(shown.map(([code]) => code))].sort()).toEqual(Object.keys(publicErrors).sort());
    for (const [code, example] of shown)
      expect(example).toMatchObject({ value: { code, message: publicErrors[code as PublicErrorCode].message } });
  });
});

describe('the reference', () => {
  it('the reference is a page that its own policy permits', async () => {
    const { text, headers } = await request(http.handler).get('/docs').expect(200).expect('Content-Type', /html/);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).not.toContain('upgrade-insecure-requests');
    const scripts = [...text.matchAll(/<script\b([^>]*)>([^]*?)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(1);
    for (const [, attributes, code] of scripts)
      expect([attributes, code?.trim()]).toEqual([expect.stringMatching(/src="\.?\/?/), '']);
    expect(text).not.toMatch(/<[^>]+\son\w+=|javascript:/i);
  });
  it('the reference loads its files from this server', async () => {
    const { text } = await request(http.handler).get('/docs').expect(200);
    const files = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const { pathname, host } = new URL(file, 'http://here.test/docs');
      expect(host).toBe('here.test');
      await request(http.handler).get(pathname).expect(200);
    }
  });
  it.each(['/docs-json', '/docs-yaml', '/docs/LICENSE', '/docs/..%2f..%2fpackage.json', '/docs/nothing'])(
    'the reference does not serve %s',
    async (path) => {
      const { status, body } = await request(http.handler).get(path);
      expect([403, 404]).toContain(status);
      expect(body).toHaveProperty('request_id');
    },
  );
  it('the reference is public, and served by the public listener only', async () => {
    const [outside, inside] = await Promise.all([
      serve('public', http.handler, '127.0.0.1', 0),
      serve('internal', http.handler, '127.0.0.1', 0),
    ]);
    for (const path of ['/docs', '/openapi.json']) {
      await request(`http://127.0.0.1:${outside.port}`).get(path).expect(200);
      await request(`http://127.0.0.1:${inside.port}`).get(path).expect(404);
    }
    await Promise.all([outside.close(), inside.close()]);
  });
});
