// Tests of the comparison of two published descriptions: what is additive passes, and each other change is named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedProblems } from './published.mjs';

const TEXT = { type: 'string', maxLength: 10 };
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const json = (schema) => ({ content: { 'application/json': { schema } } });

const describing = (change = {}) => ({
  paths: {
    '/v1/things': {
      post: {
        operationId: 'findThings',
        parameters: [{ name: 'page', in: 'query', required: false, schema: { type: 'integer', maximum: 9 } }],
        requestBody: { required: true, ...json(change.body ?? { $ref: '#/components/schemas/Question' }) },
        responses: { 200: json(change.answer ?? { $ref: '#/components/schemas/Thing' }) },
        ...change.operation,
      },
      ...change.item,
    },
    ...change.paths,
  },
  components: {
    schemas: {
      Question: object({ query: TEXT, mode: { type: 'string', enum: ['A', 'B'] } }, ['query']),
      Thing: object({ name: TEXT, parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } } }),
      Part: object({ code: TEXT }),
      ...change.schemas,
    },
  },
});

const problems = (change) => publishedProblems(describing(), describing(change));

for (const [what, change] of [
  ['a route', { paths: { '/v1/more': { get: { operationId: 'more', responses: {} } } } }],
  [
    'an optional field of a body',
    {
      schemas: { Question: object({ query: TEXT, mode: { type: 'string', enum: ['A', 'B'] }, more: TEXT }, ['query']) },
    },
  ],
  ['a field of an answer', { schemas: { Part: object({ code: TEXT, more: TEXT }) } }],
  [
    'a wider bound',
    {
      operation: {
        parameters: [{ name: 'page', in: 'query', required: false, schema: { type: 'integer', maximum: 99 } }],
      },
    },
  ],
  [
    'null in a body',
    {
      schemas: {
        Question: object({ query: { ...TEXT, type: ['string', 'null'] }, mode: { type: 'string', enum: ['A', 'B'] } }, [
          'query',
        ]),
      },
    },
  ],
])
  test(`${what} may be added`, () => {
    assert.deepEqual(problems(change), []);
  });

const nullable = { type: ['string', 'null'], maxLength: 10 };
for (const [what, change, message] of [
  ['a removed route', { item: { post: undefined } }, /POST \/v1\/things is removed/],
  ['another operationId', { operation: { operationId: 'search' } }, /another operationId/],
  ['a credential', { operation: { security: [{ credential: [] }] } }, /requires a credential now/],
  ['a removed parameter', { operation: { parameters: [] } }, /query parameter page of POST \/v1\/things is removed/],
  [
    'a required parameter',
    {
      operation: {
        parameters: [{ name: 'page', in: 'query', required: true, schema: { type: 'integer', maximum: 9 } }],
      },
    },
    /page of POST \/v1\/things is required now/,
  ],
  [
    'a narrower bound',
    {
      schemas: {
        Question: object({ query: { ...TEXT, maxLength: 5 }, mode: { type: 'string', enum: ['A', 'B'] } }, ['query']),
      },
    },
    /query has a narrower maxLength/,
  ],
  [
    'a value less',
    { schemas: { Question: object({ query: TEXT, mode: { type: 'string', enum: ['A'] } }, ['query']) } },
    /mode no longer accepts B/,
  ],
  [
    'a required field',
    { schemas: { Question: object({ query: TEXT, mode: { type: 'string', enum: ['A', 'B'] } }) } },
    /mode is required now/,
  ],
  [
    'a removed field of a body',
    { schemas: { Question: object({ query: TEXT }) } },
    /body of POST \/v1\/things\.mode is removed/,
  ],
  ['a removed field of an element', { schemas: { Part: object({}) } }, /parts\[\]\.code is removed/],
  [
    'a field that may be absent',
    { schemas: { Part: object({ code: TEXT }, []) } },
    /parts\[\]\.code may be absent now/,
  ],
  ['null in an answer', { schemas: { Part: object({ code: nullable }) } }, /parts\[\]\.code has another type/],
])
  test(`${what} is refused`, () => {
    const found = problems(change);
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0], message);
  });
