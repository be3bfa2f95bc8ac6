import { gzipSync } from 'node:zlib';
import { Controller, Get, Module } from '@nestjs/common';
import request, { type Test } from 'supertest';
import { internalMessages, publicErrors, type PublicErrorCode } from '@acervo/public-mapping';
import { requirements, Requires } from '@acervo/rbac';
import { Answers } from '../src';
import { testApp, type TestApp, Thing } from './support';

let http: TestApp;
beforeAll(async () => {
  http = await testApp();
});
afterAll(() => http.close());

const as = (test: Test, bearer = 'session'): Test => test.set('Authorization', `Bearer ${bearer}`);
const ask = (path = '/v1/things'): Test => as(request(http.handler).post(path));
const get = (path: string): Test => as(request(http.handler).get(path));

/** The English envelope of a code, whole. */
const envelope = (code: PublicErrorCode, details: object = {}): object => ({
  code,
  message: publicErrors[code].message,
  details,
  request_id: expect.any(String) as string,
});
/** The Spanish one of the internal routes. */
const sobre = (code: PublicErrorCode, detalles: object = {}, mensaje = internalMessages[code]): object => ({
  codigo: code,
  mensaje,
  detalles,
  id_solicitud: expect.any(String) as string,
});

describe('an input', () => {
  it('an input gets its defaults and its caller', async () => {
    const { body } = await ask().send({ query: 'x' }).expect(200);
    expect(body).toEqual({ display_name: 'ana x', count: 10, status: null, part: null });
  });
  it('an input is read from a query, vocabularies included', async () => {
    const { body } = await get('/v1/things?page=3&status=VECTORIZED').expect(200);
    expect(body).toMatchObject({ count: 3, status: 'VECTORIZED' });
  });
  it.each([
    ['an undeclared name', { query: 'x', hush: 'hush' }, { unknown_field_count: 1 }],
    ['an undeclared name in a list', { query: 'x', parts: [{ code: 'P', hush: 1 }] }, { unknown_field_count: 1 }],
    ['a wrong value', { query: 'x', limit: 'hush' }, { invalid_fields: ['limit'] }],
    ['a wrong nested value', { query: 'x', main: { code: 'hush hush' } }, { invalid_fields: ['main.code'] }],
    ['a missing value', {}, { missing_fields: ['query'] }],
    ['a missing nested value', { query: 'x', parts: [{}] }, { missing_fields: ['parts.code'] }],
    ['a list', ['hush'], {}],
  ])('an input is refused with 422 for %s, which is not repeated', async (_what, sent, details) => {
    const { body, text } = await ask().send(sent).expect(422);
    expect(body).toEqual(envelope('VALIDATION_ERROR', details));
    expect(text).not.toContain('hush');
  });
  it('an input with __proto__ is refused with 422', async () => {
    const { body } = await ask().type('json').send('{"query":"x","__proto__":{"limit":5}}').expect(422);
    expect(body).toEqual(envelope('VALIDATION_ERROR', { unknown_field_count: 1 }));
  });
  it('an input without meaning is refused with 400', async () => {
    const { body } = await ask().send({ query: ' ' }).expect(400);
    expect(body).toEqual(envelope('INVALID_REQUEST', { invalid_fields: ['query'] }));
  });
  it.each([
    ['page=', { invalid_fields: ['page'] }],
    ['page=1e0', { invalid_fields: ['page'] }],
    ['page=1&page=2', { invalid_fields: ['page'] }],
    ['page[a]=1', { unknown_field_count: 1 }],
    ['hush=hush&__proto__=1', { unknown_field_count: 2 }],
    ['status=VECTORIZADO', { invalid_fields: ['status'] }],
  ])('the query %s is refused with 422', async (query, details) => {
    const { body } = await get(`/v1/things?${query}`).expect(422);
    expect(body).toEqual(envelope('VALIDATION_ERROR', details));
  });
  it.each(['/v1/things/a%20b', '/v1/things/a%00', `/v1/things/${'x'.repeat(121)}`, '/v1/things/invisible'])(
    'the path %s names nothing',
    async (path) => {
      const { body } = await get(path).expect(404);
      expect(body).toEqual(envelope('NOT_FOUND'));
    },
  );
});

describe('a body', () => {
  const deep = `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`;
  const wide = JSON.stringify(Object.fromEntries([...Array(1001).keys()].map((key) => [`k${key}`, 1])));
  const large = JSON.stringify({ query: 'x'.repeat(1_100_000) });
  it.each([
    ['that is broken', 400, 'INVALID_REQUEST', 'application/json', '{"query": "hush'],
    ['that is a text', 400, 'INVALID_REQUEST', 'application/json', '"hush"'],
    ['that is null', 400, 'INVALID_REQUEST', 'application/json', 'null'],
    ['of another media type', 415, 'INTERNAL_ERROR', 'text/plain', '{"query":"x"}'],
    ['of a form', 415, 'INTERNAL_ERROR', 'application/x-www-form-urlencoded', 'query=x'],
    ['in an unknown charset', 415, 'INTERNAL_ERROR', 'application/json; charset=hush', '{"query":"x"}'],
    ['that is large', 413, 'INTERNAL_ERROR', 'application/json', large],
    ['that is deep', 422, 'VALIDATION_ERROR', 'application/json', deep],
    ['that is wide', 422, 'VALIDATION_ERROR', 'application/json', wide],
  ] as const)('%s is refused with %i and %s', async (_what, status, code, type, sent) => {
    const { body } = await ask().set('Content-Type', type).send(sent).expect(status);
    expect(body).toEqual(envelope(code));
  });
  it('an empty or missing body is refused with 422', async () => {
    const empty = await ask().type('json').send('').expect(422);
    expect(empty.body).toEqual(envelope('VALIDATION_ERROR', { missing_fields: ['query'] }));
    expect((await ask().expect(422)).body).toEqual(envelope('VALIDATION_ERROR'));
  });
  it('a body at its limits of depth and width is read', async () => {
    const edge = deep.replaceAll('{"a":', '[').replaceAll('}', ']');
    await ask()
      .type('json')
      .send(`{"query":"x","parts":${edge.slice(2, -2)}}`)
      .expect(422, /invalid_fields/);
    const full = Object.fromEntries([...Array(999).keys()].map((key) => [`k${key}`, 1]));
    await ask()
      .send({ query: 'x', ...full })
      .expect(422, /"unknown_field_count":999/);
  });
  it.each(['gzip', 'deflate', 'br', 'hush'])('a body in the encoding %s is refused with 400', async (encoding) => {
    const packed = ask().set('Content-Type', 'application/json').set('Content-Encoding', encoding);
    packed.write(gzipSync(JSON.stringify({ query: 'x' })));
    expect((await packed.expect(400)).body).toEqual(envelope('INVALID_REQUEST'));
  });
  it('a body of chunks beyond the limit is refused with 413', async () => {
    const chunked = ask().set('Content-Type', 'application/json').set('Transfer-Encoding', 'chunked');
    chunked.write(large);
    expect((await chunked.expect(413)).body).toEqual(envelope('INTERNAL_ERROR'));
  });
  it.each(['utf-8', 'UTF-16LE'])('a body in the charset %s is read', async (charset) => {
    const sent = Buffer.from(JSON.stringify({ query: 'año' }), charset === 'utf-8' ? 'utf8' : 'utf16le');
    const packed = ask().set('Content-Type', `application/json; charset=${charset}`);
    packed.write(sent);
    expect((await packed.expect(200)).body).toMatchObject({ display_name: 'ana año' });
  });
  it('a route without a credential reads 16 kB and no byte more', async () => {
    const open = (length: number): Test =>
      request(http.handler)
        .post('/v1/open')
        .type('json')
        .send(`{"query":"x"}${' '.repeat(length - 13)}`);
    await open(16_384).expect(200);
    await open(16_385).expect(413);
  });
  it('a body is checked after the credential and the rights', async () => {
    const broken = (bearer: string): Test =>
      as(request(http.handler).post('/v1/things'), bearer).type('json').send('{');
    expect((await broken('nobody').expect(401)).body).toEqual(envelope('UNAUTHORIZED'));
    expect((await broken('poor').expect(403)).body).toEqual(envelope('FORBIDDEN'));
    await broken('session').expect(400);
  });
  it('a public route checks the body without a credential', async () => {
    await request(http.handler).post('/v1/open').type('json').send('{').expect(400);
    await request(http.handler).post('/v1/open').send({ query: 'x' }).expect(200);
  });
});

describe('a credential', () => {
  it.each([undefined, '', 'session', 'Basic session', 'Bearer', 'Bearer ', 'Bearer a b', `Bearer ${'x'.repeat(4097)}`])(
    'a credential is required: %j is answered with 401',
    async (header) => {
      const test = request(http.handler).get('/v1/things');
      const { body } = await (header === undefined ? test : test.set('Authorization', header)).expect(401);
      expect(body).toEqual(envelope('UNAUTHORIZED'));
    },
  );
  it('an API key works on /v1', async () => {
    await as(request(http.handler).get('/v1/things'), 'key').expect(200);
  });
  it.each(['/documentos', '/documentos/crash'])('an API key does not work on %s', async (path) => {
    const { body } = await as(request(http.handler).get(path), 'key').expect(403);
    expect(body).toEqual(sobre('FORBIDDEN', {}, 'Una clave de API solo puede operar a través de la API pública /v1.'));
  });
  it.each(['/documentos/a/b/c', '/habilidades', '/cola-estados-docs/x', '/espacios-trabajo/%E0%A4%A'])(
    'an API key on the unserved internal path %s gets 403',
    async (path) => {
      const { body } = await as(request(http.handler).post(path), 'acv_1x').expect(403);
      expect(body).toMatchObject({ mensaje: 'Una clave de API solo puede operar a través de la API pública /v1.' });
      await as(request(http.handler).post('/v1/nada'), 'acv_1x').expect(404);
    },
  );
  it('a credential without the screens of a route gets 403', async () => {
    const { body } = await as(request(http.handler).get('/v1/things'), 'poor').expect(403);
    expect(body).toEqual(envelope('FORBIDDEN'));
  });
});

describe('a failure', () => {
  it.each([
    ['crash', 500, 'INTERNAL_ERROR', {}, {}],
    ['thrown', 500, 'INTERNAL_ERROR', {}, {}],
    ['upstream', 500, 'INTERNAL_ERROR', {}, {}],
    ['incomplete', 500, 'INTERNAL_ERROR', {}, {}],
    ['unmapped', 500, 'PUBLIC_CODE_MAPPING_MISSING', {}, {}],
    ['unavailable', 503, 'INTERNAL_ERROR', {}, {}],
    ['forbidden', 403, 'FORBIDDEN', {}, {}],
    ['limited', 429, 'RATE_LIMITED', { retry_after_seconds: 7 }, { segundos_de_espera: 7 }],
  ] as const)(
    'a failure of kind %s is answered with %i for each audience',
    async (kind, status, code, details, detalles) => {
      const english = await get(`/v1/open/${kind}`).expect(status);
      expect(english.body).toEqual(envelope(code, details));
      const spanish = await get(`/documentos/${kind}`).expect(status);
      expect(spanish.body).toEqual(sobre(code, detalles));
      expect(english.text + spanish.text).not.toContain('hush');
      expect(english.headers['retry-after']).toBe(kind === 'limited' ? '7' : undefined);
    },
  );
  it('a failure is logged with its request, without the unmapped value', async () => {
    await get('/v1/open/crash').set('X-Request-Id', 'crash-1').expect(500);
    const lines = http.logged().split('\n');
    expect(lines.filter((line) => line.includes('crash-1') && line.includes('request failed'))).toHaveLength(1);
    expect(http.logged()).not.toContain('ARCHIVADO');
  });
  it.each(['/v1/nothing', '/nothing', '/v1x', '/V1/things', '/v1/Things'])(
    'the unknown route %s is 404',
    async (path) => {
      expect((await get(path).expect(404)).body).toEqual(envelope('NOT_FOUND'));
    },
  );
  it('an unknown internal path is 404 in Spanish', async () => {
    expect((await get('/usuarios/nothing').expect(404)).body).toEqual(sobre('NOT_FOUND'));
  });
  it.each(['/v1/things/%E0%A4%A', '/v1/things/%', '/v1/open/%zz'])('the undecodable path %s is 400', async (path) => {
    expect((await get(path).expect(400)).body).toEqual(envelope('INVALID_REQUEST'));
  });
});

describe('an answer', () => {
  it('an answer drops undeclared fields at every depth', async () => {
    const { body } = await get('/v1/things/T-1').expect(200);
    expect(body).toEqual({ display_name: 'T-1', count: 0, status: null, part: { code: 'P' } });
  });
});

describe('a route that declares too little', () => {
  abstract class Shared {
    @Get('inherited') inherited(): void {}
  }
  @Controller('v1/loose')
  class Loose extends Shared {
    @Get() @Answers(Thing) unguarded(): void {}
    @Get('raw') @Requires(requirements.nobody) unanswered(): void {}
    helper(): void {}
  }
  @Module({ controllers: [Loose] })
  class LooseModule {}

  it('an underdeclared route prevents the start and is named', async () => {
    await expect(testApp({ module: LooseModule })).rejects.toThrow(
      'Every route declares what it asks and answers: Loose.unguarded declares no @Requires; ' +
        'Loose.unanswered declares no @Answers; Loose.inherited declares no @Requires; Loose.inherited declares no @Answers.',
    );
  });
});
