import * as client from '../src';
import { pauseMs } from '../src/transport';
import { failure, Service } from './service';

const { AcervoClient } = client;

let service: Service;
let acervo: client.AcervoClient;
beforeAll(async () => {
  service = await Service.start();
  acervo = new AcervoClient({ key: 'k', baseUrl: `${service.address}/`, retries: 1 });
});
afterAll(() => service.stop());
beforeEach(() => {
  service.received.length = 0;
  service.replies = [];
});

const last = () => service.received.at(-1);
const now = { 'retry-after': '0' };

describe('requests', () => {
  it('the fields of an input go to path, query and body', async () => {
    await acervo.getDocumentEdges({ document_code: 'D 1', neighbor_limit: 5 });
    expect(last()).toMatchObject({ method: 'GET', url: '/v1/documents/D%201/edges?neighbor_limit=5', body: '' });
    await acervo.executeOperation({ code: 'areas.list', input: { limit: 1 }, confirm: true });
    expect(last()).toMatchObject({ method: 'POST', url: '/v1/operations/areas.list:execute' });
    expect(JSON.parse(last()?.body ?? '')).toEqual({ input: { limit: 1 }, confirm: true });
  });
  it('null is sent, and an absent field is not', async () => {
    await acervo.setActiveEntity({ entity_code: null });
    expect(last()?.body).toBe('{"entity_code":null}');
    await acervo.listDocuments({ limit: 3 });
    expect(last()?.url).toBe('/v1/documents?limit=3');
  });
  it('requests carry the key and the id of their caller', async () => {
    await acervo.getSession({}, { requestId: 'mine' });
    expect(last()?.headers).toMatchObject({ authorization: 'Bearer k', 'x-request-id': 'mine' });
  });
});

describe('retries', () => {
  it.each([429, 503])('status %i is repeated, and the next answer is returned', async (status) => {
    service.replies = [{ status, body: failure('RATE_LIMITED'), headers: now }, { body: { group_code: 'G' } }];
    await expect(acervo.getSession()).resolves.toEqual({ group_code: 'G' });
    expect(service.received).toHaveLength(2);
  });
  it('the last failure is raised when the tries are used up', async () => {
    service.replies = [1, 2].map(() => ({ status: 429, body: failure('RATE_LIMITED'), headers: now }));
    await expect(acervo.getSession()).rejects.toBeInstanceOf(client.RateLimited);
  });
  it('a write repeats a broken connection under the same idempotency key', async () => {
    service.replies = ['cut', {}];
    await acervo.refreshSpace({ space_id: 1 });
    const keys = service.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
  });
  it('a request without an idempotency key does not repeat a broken connection', async () => {
    service.replies = ['cut', {}];
    await expect(acervo.searchDocuments({ query: 'a' })).rejects.toBeInstanceOf(client.ConnectionFailed);
    expect(service.received).toHaveLength(1);
  });
  it('an error that a retry cannot repair is raised at once', async () => {
    service.replies = [{ status: 500, body: failure('INTERNAL_ERROR') }];
    await expect(acervo.getSession()).rejects.toBeInstanceOf(client.InternalFailure);
    expect(service.received).toHaveLength(1);
  });
  it('an aborted signal ends the wait for the next try', async () => {
    const abort = new AbortController();
    service.replies = [{ status: 503, body: failure('INTERNAL_ERROR'), headers: { 'retry-after': '30' } }];
    const waiting = acervo.getSession({}, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
  it('a pause follows the service, else it doubles, with jitter', () => {
    expect(pauseMs(0, '2', () => 0)).toBe(2_000);
    expect(pauseMs(0, '3600', () => 0)).toBe(30_000);
    expect([0, 1, 2].map((turn) => pauseMs(turn, null, () => 1))).toEqual([250, 500, 1_000]);
    expect(pauseMs(20, null, () => 1)).toBe(30_000);
  });
});

describe('errors', () => {
  it.each([
    [400, 'INVALID_REQUEST', client.InvalidRequest],
    [400, 'INVALID_CONTEXT', client.InvalidContext],
    [401, 'UNAUTHORIZED', client.Unauthorized],
    [402, 'QUOTA_EXCEEDED', client.QuotaExceeded],
    [403, 'FORBIDDEN', client.Forbidden],
    [404, 'NOT_FOUND', client.NotFound],
    [409, 'CONFLICT', client.Conflict],
    [409, 'CONTEXT_CONFLICT', client.ContextConflict],
    [422, 'VALIDATION_ERROR', client.ValidationFailed],
    [500, 'PUBLIC_CODE_MAPPING_MISSING', client.InternalFailure],
    [418, 'LATER_CODE', client.AcervoError],
  ])('%i %s raises its class with code, details and request id', async (status, code, type) => {
    service.replies = [{ status, body: failure(code, { missing_fields: ['query'] }) }];
    const error: unknown = await acervo.getSession().catch((raised: unknown) => raised);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ code, status, requestId: 'r-1', details: { missing_fields: ['query'] } });
  });
  it.each([[200], [502]])('a page of a proxy with status %i is no answer of the API', async (status) => {
    service.replies = [{ status, body: '<html>' }];
    await expect(acervo.getSession()).rejects.toBeInstanceOf(client.UnexpectedAnswer);
  });
});

describe('iterators', () => {
  const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const item of items) all.push(item);
    return all;
  };

  it('documents are read page by page until the total', async () => {
    const page = (codes: string[]) => ({ body: { documents: codes.map((code) => ({ code })), total: 3, limit: 2 } });
    service.replies = [page(['a', 'b']), page(['c'])];
    expect(await collect(acervo.documents({ limit: 2 }))).toEqual([{ code: 'a' }, { code: 'b' }, { code: 'c' }]);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v1/documents?limit=2&page=1',
      '/v1/documents?limit=2&page=2',
    ]);
  });
  it('folders are read cursor by cursor until null', async () => {
    service.replies = [
      { body: { locations: [{ code: 'L1' }], next_cursor: 'c2' } },
      { body: { locations: [{ code: 'L2' }], next_cursor: null } },
    ];
    expect(await collect(acervo.locations({ limit: 1 }))).toEqual([{ code: 'L1' }, { code: 'L2' }]);
    expect(last()?.url).toBe('/v1/locations?limit=1&cursor=c2');
  });
});

describe('originals', () => {
  const hints: client.FileHints = {
    ...{ home_var: 'ROOT', relative_path: 'a/b.md', path: '/library/a/b.md', origin: 'FOLDER' },
    ...{ is_absolute: false, is_public_url: false, is_cloud_only: false },
  };
  const web = 'https://example.org/b';

  it.each([
    ['stays with its provider', { is_cloud_only: true, is_absolute: true }, { kind: 'cloud', url: null }],
    ['is a public address', { is_public_url: true, path: web, is_absolute: true }, { kind: 'url', url: web }],
    ['comes from a public origin', { origin: 'PUBLIC', path: web } as const, { kind: 'url', url: web }],
    ['has an absolute path', { is_absolute: true, path: '/srv/b.md' }, { kind: 'file', path: '/srv/b.md' }],
    ['lies below a local root', {}, { kind: 'file', path: '/home/ana/library/a/b.md' }],
    ['has no variable', { home_var: null }, { kind: 'unknown', variable: null }],
    ['has a variable that is unset', { home_var: 'OTHER' }, { kind: 'unknown', variable: 'OTHER' }],
    ['would leave its root', { relative_path: '../b.md' }, { kind: 'unknown', variable: 'ROOT' }],
  ])('an original that %s is resolved by its rule', (_, change, expected) => {
    expect(client.originalOf({ ...hints, ...change } as client.FileHints, { ROOT: '/home/ana/library/' })).toEqual(
      expected,
    );
  });
  it('a root of Windows gets its own separators', () => {
    expect(client.originalOf(hints, { ROOT: 'C:\\Users\\ana' })).toEqual({
      kind: 'file',
      path: 'C:\\Users\\ana\\a\\b.md',
    });
  });
});
