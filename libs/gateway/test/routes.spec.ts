import request from 'supertest';
import {
  composeSpaces,
  describeContext,
  describeOperation,
  executeOperation,
  ExecutionOutcome,
  getDocument,
  getDocumentEdges,
  getFunction,
  getOrganization,
  getSpace,
  getUsage,
  listCatalog,
  listCatalogDocumentTypes,
  listCharacteristics,
  listDocuments,
  listLocations,
  listOperations,
  listQueue,
  listRuns,
  listSpaces,
  listVisibleAreas,
  promoteSpace,
  readSpace,
  refreshSpace,
  searchDocuments,
  SessionContext,
  setActiveArea,
  setActiveEntity,
  updateOrganization,
  Usage,
} from '@acervo/contracts';
import type { HttpApp } from '@acervo/platform-http';
import { CatalogController } from '../src/catalog/catalog.controller';
import { DocumentPageController } from '../src/document-page/document-page.controller';
import { DocumentsController } from '../src/documents/documents.controller';
import { FunctionsController } from '../src/functions/functions.controller';
import { OperationsController } from '../src/operations/operations.controller';
import { OrganizationController } from '../src/organization/organization.controller';
import { QueueController } from '../src/queue/queue.controller';
import { SearchPageController } from '../src/search-page/search-page.controller';
import { SessionController } from '../src/session/session.controller';
import { SpacesController } from '../src/spaces/spaces.controller';
import { TreesController } from '../src/trees/trees.controller';
import { UsageController } from '../src/usage/usage.controller';
import { VersionController } from '../src/version/version.controller';
import { gatewayOf, StubCalls } from './support';

type Method = 'get' | 'post' | 'put';

const calls = new StubCalls();
let gateway: HttpApp;
beforeAll(async () => {
  gateway = await gatewayOf(
    [
      DocumentsController,
      FunctionsController,
      OperationsController,
      OrganizationController,
      QueueController,
      CatalogController,
      SearchPageController,
      DocumentPageController,
      SessionController,
      SpacesController,
      TreesController,
      UsageController,
      VersionController,
    ],
    calls,
  );
});
afterAll(() => gateway.close());
beforeEach(() => {
  calls.sent.length = 0;
  calls.answers.clear();
});

const ask = (method: Method, path: string, body?: object, bearer = 'administrator'): request.Test =>
  request(gateway.handler)[method](path).set('Authorization', `Bearer ${bearer}`).send(body);

const COMPOSITION = { operation: 'union', space_id_a: 1, space_id_b: 2 };
const SEARCH = { query: 'agua', limit: 10, minSimilarity: 0 };

describe('a route of /v1', () => {
  it.each<[Method, string, object | undefined, { readonly code: string }, object]>([
    ['get', '/v1/session', undefined, describeContext, {}],
    ['post', '/v1/session/active-entity', { entity_code: 'E1' }, setActiveEntity, { entityCode: 'E1' }],
    ['post', '/v1/session/active-area', { area_code: null }, setActiveArea, { areaCode: null }],
    ['get', '/v1/areas?parent_code=A1', undefined, listVisibleAreas, { parentCode: 'A1' }],
    ['get', '/v1/locations?limit=7', undefined, listLocations, { limit: 7 }],
    ['get', '/v1/documents?status=VECTORIZED&page=2', undefined, listDocuments, { status: 'VECTORIZADO', page: 2 }],
    ['post', '/v1/documents/search', { query: 'agua' }, searchDocuments, SEARCH],
    ['get', '/v1/documents/D1', undefined, getDocument, { documentCode: 'D1' }],
    ['get', '/v1/documents/D1/edges', undefined, getDocumentEdges, { documentCode: 'D1', neighborLimit: 50 }],
    ['get', '/v1/organization?entity_code=E1', undefined, getOrganization, { entityCode: 'E1' }],
    ['put', '/v1/organization', { group_description: 'x' }, updateOrganization, { groupDescription: 'x' }],
    ['get', '/v1/functions/DOCUMENTS', undefined, getFunction, { functionCode: 'DOCUMENTS' }],
    ['get', '/v1/catalog?type=anything', undefined, listCatalog, { type: 'anything' }],
    ['get', '/v1/catalog/document-types?entity_code=E1', undefined, listCatalogDocumentTypes, { entityCode: 'E1' }],
    ['get', '/v1/catalog/characteristics', undefined, listCharacteristics, {}],
    ...[
      ['document_types=A,B', ['A', 'B']],
      ['document_types=A&document_types=B,C', ['A', 'B', 'C']],
      ['document_types=A', ['A']],
      ['document_types=', []],
      ['document_types=A,,B&document_types=', ['A', 'B', '']],
    ].map(([query, documentTypes]): [Method, string, undefined, { readonly code: string }, object] => [
      ...(['get', `/v1/catalog/characteristics?${String(query)}`, undefined, listCharacteristics] as const),
      { documentTypes },
    ]),
    ['get', '/v1/operations', undefined, listOperations, {}],
    ['get', '/v1/operations/areas.list', undefined, describeOperation, { code: 'areas.list' }],
    ['post', '/v1/operations/areas.list:execute', { input: {} }, executeOperation, { code: 'areas.list', input: {} }],
    ['get', '/v1/usage', undefined, getUsage, {}],
    ['get', '/v1/queue?limit=5', undefined, listQueue, { limit: 5 }],
    ['get', '/v1/runs', undefined, listRuns, { limit: 10 }],
    ['get', '/v1/spaces', undefined, listSpaces, { limit: 20 }],
    ['get', '/v1/spaces?limit=7&cursor=x', undefined, listSpaces, { limit: 7, cursor: 'x' }],
    ['get', '/v1/spaces/7', undefined, getSpace, { spaceId: 7, documentLimit: 20 }],
    ['get', '/v1/spaces/7?document_limit=3', undefined, getSpace, { spaceId: 7, documentLimit: 3 }],
    ['post', '/v1/spaces/7/refresh', undefined, refreshSpace, { spaceId: 7 }],
    ['post', '/v1/spaces/7/promote', undefined, promoteSpace, { spaceId: 7 }],
    ['post', '/v1/spaces/7/read', undefined, readSpace, { spaceId: 7, resolution: 'manifest', limit: 50 }],
    ['post', '/v1/spaces/7/read', { resolution: 'chunks', query: 'agua' }, readSpace, { query: 'agua', limit: 50 }],
    ['post', '/v1/spaces/compose', COMPOSITION, composeSpaces, { operation: 'union', spaceIdB: 2, spaceType: 'AREA' }],
  ])('%s %s sends one call with the scope of its caller', async (method, path, body, { code }, sent) => {
    await ask(method, path, body).expect(404);
    expect(calls.sent).toEqual([expect.objectContaining({ code, request: expect.objectContaining(sent) as object })]);
    expect(calls.sent[0]?.scope.token).toBe('token of administrator');
  });

  it('null for a field that may be absent is sent on as absent', async () => {
    const nulls = { limit: null, min_similarity: null, entity_code: null, filter: { attributes: null } };
    await ask('post', '/v1/documents/search', { query: 'agua', ...nulls }).expect(404);
    expect(calls.sent.map(({ request: sent }) => sent)).toEqual([{ ...SEARCH, filter: {} }]);
    await ask('post', '/v1/documents/search', { query: null }).expect(422);
  });

  it.each<[Method, string, object | undefined]>([
    ['get', '/v1/documents?status=VECTORIZADO', undefined],
    ['post', '/v1/documents/search', { query: 'agua', group_id: 'x' }],
    ['put', '/v1/organization', { nombre: 'x' }],
    ['post', '/v1/session/active-entity', {}],
    ['get', '/v1/queue?limit=201', undefined],
    ['get', `/v1/catalog/characteristics?document_types=${Array.from({ length: 101 }, () => 'A').join()}`, undefined],
    ['get', `/v1/catalog/characteristics?${'document_types=&'.repeat(101)}`, undefined],
    ['get', '/v1/catalog/document-types?kind=x', undefined],
    ['get', '/v1/spaces?limit=201', undefined],
    ['get', '/v1/spaces/7?document_limit=201', undefined],
    ...['0', '-1', '7.5', 'seven', '9007199254740992'].map((id): [Method, string, undefined] => [
      ...(['get', `/v1/spaces/${id}`, undefined] as const),
    ]),
    ['post', '/v1/spaces/seven/refresh', undefined],
    ['post', '/v1/spaces/7/read', { limit: 501 }],
    ['post', '/v1/spaces/7/read', { resolution: 7 }],
    ['post', '/v1/spaces/compose', { ...COMPOSITION, space_id_a: 0 }],
    ['post', '/v1/spaces/compose', { operation: 'union' }],
  ])('%s %s with an invalid input answers 422 and sends nothing', async (method, path, body) => {
    await ask(method, path, body).expect(422);
    expect(calls.sent).toEqual([]);
  });

  it.each<[string, object]>([
    ['/v1/spaces/7/read', { resolution: 'whole' }],
    ['/v1/spaces/compose', { ...COMPOSITION, operation: 'UNION' }],
    ['/v1/spaces/compose', { ...COMPOSITION, space_type: 'GROUP' }],
  ])('POST %s with an unknown word in %j answers 400', async (path, body) => {
    expect((await ask('post', path, body).expect(400)).body).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(calls.sent).toEqual([]);
  });

  it.each<[Method, string, string]>([
    ['get', '/v1/documents', 'without-screens'],
    ['get', '/v1/documents', 'chats'],
    ['get', '/v1/documents/D1/edges', 'chats'],
    ['get', '/v1/documents/D1', 'without-screens'],
    ['post', '/v1/documents/search', 'without-screens'],
    ['get', '/v1/queue', 'without-screens'],
    ['get', '/v1/locations', 'without-screens'],
    ['put', '/v1/organization', 'user'],
    ['get', '/v1/spaces', 'without-screens'],
    ['get', '/v1/spaces/7', 'without-screens'],
    ['post', '/v1/spaces/7/read', 'without-screens'],
    ['post', '/v1/spaces/7/refresh', 'chats'],
    ['post', '/v1/spaces/7/promote', 'chats'],
    ['post', '/v1/spaces/compose', 'chats'],
  ])('%s %s answers 403 to %s and sends nothing', async (method, path, bearer) => {
    await ask(method, path, undefined, bearer).expect(403);
    expect(calls.sent).toEqual([]);
  });

  it.each<[Method, string]>([
    ['get', '/v1/documents/D1'],
    ['get', '/v1/spaces'],
    ['get', '/v1/spaces/7'],
    ['post', '/v1/spaces/7/read'],
  ])('%s %s is sent for a caller who only chats', async (method, path) => {
    await ask(method, path, undefined, 'chats').expect(404);
    expect(calls.sent).toHaveLength(1);
  });

  it('GET /v1/usage is sent for every credential', async () => {
    for (const bearer of ['without-screens', 'key']) await ask('get', '/v1/usage', undefined, bearer).expect(404);
    expect(calls.sent).toHaveLength(2);
  });

  it('an unknown credential answers 401', async () => {
    await ask('get', '/v1/session', undefined, 'stranger').expect(401);
    expect(calls.sent).toEqual([]);
  });
});

describe('an answer of /v1', () => {
  it('usage has its published names', async () => {
    const quota = { feature: 'RETRIEVALS', unit: 'calls', included: null, onLimit: 'BLOCK', used: 1 };
    const usage = { planCode: 'FREE-LOCAL', periodStart: '2026-11-01', periodEnd: '2026-11-30' };
    const quotas = [{ ...quota, byEntity: [{ entityCode: null, used: 1 }] }];
    calls.answers.set(getUsage.code, Object.assign(new Usage(), usage, { quotas }));
    expect((await ask('get', '/v1/usage').expect(200)).body).toEqual({
      ...{ plan_code: 'FREE-LOCAL', period_start: '2026-11-01', period_end: '2026-11-30' },
      quotas: [
        {
          ...{ feature: 'RETRIEVALS', unit: 'calls', included: null, on_limit: 'BLOCK', used: 1 },
          by_entity: [{ entity_code: null, used: 1 }],
        },
      ],
    });
  });

  it('a session has its public names and codes', async () => {
    const context = {
      ...{ groupCode: 'G1', userCode: 'ana', userAlias: 'Ana', credential: 'session', profile: 'ADMINISTRADOR' },
      ...{ functions: ['DOCUMENTS'], entities: ['E1'], entityIsFixed: false, activeEntity: null, activeArea: null },
      ...{ effectiveArea: null, authorizedAreaRoot: null, areaFocusIsExplicit: false, focusIsStale: false },
    };
    calls.answers.set(describeContext.code, Object.assign(new SessionContext(), context, { groupId: 'inside' }));
    const { body, text } = await ask('get', '/v1/session').expect(200);
    expect(body).toMatchObject({ group_code: 'G1', user_alias: 'Ana', active_entity: null });
    expect(text).not.toMatch(/inside|ADMINISTRADOR|groupCode/);
  });

  it('the result of an operation passes unchanged', async () => {
    const outcome = { code: 'areas.list', kind: 'read', executed: true, result: { areas: [{ code: 'A1' }] } };
    calls.answers.set(executeOperation.code, Object.assign(new ExecutionOutcome(), outcome));
    const { body } = await ask('post', '/v1/operations/areas.list:execute', { input: {} }).expect(200);
    expect(body).toEqual(outcome);
  });
});

describe('an idempotency key', () => {
  const execute = (key: string): request.Test =>
    ask('post', '/v1/operations/entities.create:execute', { input: {}, confirm: true }).set('Idempotency-Key', key);

  it('an idempotency key is sent with the call', async () => {
    await execute('order-17').expect(404);
    expect(calls.sent[0]?.options).toEqual({ idempotencyKey: 'order-17' });
  });

  it.each<[string, object | undefined]>([
    ['/v1/spaces/7/refresh', undefined],
    ['/v1/spaces/7/promote', undefined],
    ['/v1/spaces/compose', COMPOSITION],
  ])('POST %s sends the idempotency key of its request', async (path, body) => {
    await ask('post', path, body).expect(404);
    await ask('post', path, body).set('Idempotency-Key', 'order-17').expect(404);
    await ask('post', path, body).set('Idempotency-Key', 'two words').expect(422);
    expect(calls.sent.map(({ options }) => options)).toEqual([{}, { idempotencyKey: 'order-17' }]);
  });

  it.each(['two words', 'x'.repeat(129), 'ñ'])('an idempotency key %j answers 422 and sends nothing', async (key) => {
    const { body } = await execute(key).expect(422);
    expect(body).toMatchObject({ details: { invalid_fields: ['Idempotency-Key'] } });
    expect(calls.sent).toEqual([]);
  });
});

describe('a route without a credential', () => {
  it('the version route shows the version and the short commit', async () => {
    const { body } = await request(gateway.handler).get('/version').expect(200);
    expect(body).toEqual({ version: '1.2.3', commit: '0123456789abcdef', commit_short: '0123456', fecha_build: null });
  });

  it.each(['/', '/app/documents/D1', '/app/documents/gone?q=agua'])('the page %s has its own policy', async (path) => {
    const { text, headers } = await request(gateway.handler).get(path).expect(200);
    expect(text).toContain('<main>');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(calls.sent).toEqual([]);
  });

  it.each(['/app', '/app/documents', '/app/documents/D1/edges', '/documentos/D1'])(
    'the path %s without a page answers JSON',
    async (path) => {
      await request(gateway.handler)
        .get(path)
        .expect(404)
        .expect('Content-Type', /^application\/json/);
    },
  );
});
