import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onStack } from '@acervo/platform-testing';
import { functionSummary } from '@acervo/public-mapping';
import { copySample, freePort, Program, repository, temporary, write } from '../harness/program';

/** Files may go while the program runs. */
const absent = { throwIfNoEntry: false } as const;

describe('a first start with a folder', () => {
  const place = temporary();
  const folder = join(place.path, 'folder');
  let program: Program;

  beforeAll(async () => {
    copySample(folder);
    write(folder, {
      'empty.txt': '',
      'drawing.dwg': 'not read',
      'sub/same-name.txt': 'Un texto sobre molinos de viento.',
    });
    const data = join(place.path, 'data');
    program = await Program.start({ folder, data, port: await freePort(), fromNothing: true });
    await program.done();
  });
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  it('a first start prints address, key, example search and failures with reasons', () => {
    expect(program.printed).toMatch(/API key, shown this once: {2}acv_1\w{34}_\w{33}/);
    expect(program.printed).toMatch(/curl -s http:\/\/localhost:\d+\/v1\/documents\/search/);
    expect(program.printed).toMatch(/Done: 22 of 24 documents searchable, \d+ chunks/);
    expect(program.printed).toMatch(/empty\.txt: No text found\./);
    expect(program.printed).toMatch(/drawing\.dwg: Files of type \.dwg are not read yet\./);
  });

  it.each([
    ['turnos de riego', 'acta-2025-01-comision-de-riego.md'],
    ['averia del camion', 'acta-2024-09-consejo-rector.md'],
    ['avería del camión', 'acta-2024-09-consejo-rector.md'],
    ['poliza de seguro de maquinaria', 'seguro-maquinaria-almazara.txt'],
    ['frozen valve', 'pump-station-manual.md'],
    ['written quotes for purchases', 'purchasing-policy.md'],
    ['2024/0153-B', 'acta-2024-09-consejo-rector.md'],
    ['PM-77-20491', 'seguro-maquinaria-almazara.txt'],
    ['data-logger-setup', 'data-logger-setup.txt'],
    ['same-name.txt', 'same-name.txt'],
  ])('the search %p returns the document %s first', async (query, expected) => {
    expect((await program.names(query))[0]).toBe(expected);
  });

  it('a draft of the organization names its folders and saves nothing', async () => {
    const before = (await program.ask('GET', '/v1/organization')).text;
    const { status, body } = await program.ask('POST', '/v1/organization/draft', {});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      generated: false,
      group: { description: expect.stringMatching(/tiene 2\d documentos\..*actas.*contratos/) as string },
      entity: { system_prompt: expect.stringContaining('Cita siempre el documento') as string },
    });
    expect((await program.ask('GET', '/v1/organization')).text).toBe(before);
  });
  it('passages are literal quotations of the file', async () => {
    const [found] = await program.search('2024/0153-B');
    const file = readFileSync(join(folder, 'actas', 'acta-2024-09-consejo-rector.md'), 'utf8');
    for (const { text } of found?.chunks ?? []) expect(file).toContain(text);
  });

  it('null for what a search may lack changes no answer', async () => {
    const nulls = { limit: null, min_similarity: null, entity_code: null, space_id: null, filter: null };
    const codes = async (more: object) => (await program.search('cuota de riego', more)).map(({ code }) => code);
    expect(await codes({ ...nulls, location_code: null })).toEqual(await codes({}));
  });

  it('a least similarity excludes documents that only share words', async () => {
    const all = await program.search('cuota de riego');
    const similar = await program.search('cuota de riego', { min_similarity: 0.1 });
    expect(similar.length).toBeLessThan(all.length);
    // A hit by words alone is searched by meaning, too.
    expect(all.flatMap(({ chunks }) => chunks).filter(({ extra }) => extra.embedded !== true)).toEqual([]);
    for (const { max_similarity } of similar) expect(max_similarity).toBeGreaterThanOrEqual(0.1);
    expect(await program.search('cuota de riego', { min_similarity: 1 })).toEqual([]);
  });

  it('documents are listed by state, page and folder', async () => {
    const { body } = await program.ask('GET', '/v1/documents?limit=5&page=2');
    expect(body).toMatchObject({ total: 24, page: 2, limit: 5 });
    const unsupported = await program.ask('GET', '/v1/documents?status=UNSUPPORTED');
    expect(unsupported.body).toMatchObject({ total: 2 });
    const [first] = unsupported.body['documents'] as { code: string; location_code: string }[];
    const detail = await program.ask('GET', `/v1/documents/${first?.code}`);
    expect(detail.body).toMatchObject({ status: 'UNSUPPORTED', reason: expect.stringMatching(/\./) as string });
    const [found] = await program.search('turnos de riego');
    const { body: document } = await program.ask('GET', `/v1/documents/${found?.code}`);
    const inside = await program.names('agua', { location_code: document['location_code'], limit: 50 });
    expect(new Set(inside)).toEqual(new Set(readdirSync(join(folder, 'actas'))));
  });

  it('ingested folders and the edges of a document are listed', async () => {
    const { body } = await program.ask('GET', '/v1/locations?query=actas');
    const locations = body['locations'] as { code: string; name: string }[];
    expect(locations).toMatchObject([{ name: 'actas', entity_code: 'E1', has_children: false }]);
    const [found] = await program.search('turnos de riego');
    const edges = await program.ask('GET', `/v1/documents/${found?.code}/edges?neighbor_limit=500`);
    expect(edges.body).toMatchObject({
      document: { code: found?.code },
      location_path: [{ name: 'folder' }, { code: locations[0]?.code, name: 'actas' }],
    });
    expect(edges.body['neighbors_two_hops']).toHaveLength(readdirSync(join(folder, 'actas')).length - 1);
  });

  it('an answer locates the original without a path of this machine', async () => {
    const { body } = await program.ask('POST', '/v1/documents/search', { query: 'turnos de riego', limit: 1 });
    const text = JSON.stringify(body);
    expect(text).toContain('"relative_path":"actas/acta-2025-01-comision-de-riego.md"');
    expect(text).not.toContain(place.path);
  });

  it('the session route returns the caller', async () => {
    const { body } = await program.ask('GET', '/v1/session');
    expect(body).toMatchObject({
      group_code: 'G1',
      user_code: 'admin@acervo.local',
      profile: 'ADMINISTRATOR',
      entities: ['E1'],
      active_entity: null,
      focus_is_stale: false,
    });
  });

  it('the detail of a function has the English summary of the product', async () => {
    const { status, body } = await program.ask('GET', '/v1/functions/DOCUMENTS');
    expect(status).toBe(200);
    expect(functionSummary.publicCodes).toContain(body['summary']);
  });

  it('the profile of the organisation is stored, and missing fields are reported', async () => {
    const { body } = await program.ask('PUT', '/v1/organization', { entity_description: 'Una almazara.' });
    expect(body).toMatchObject({
      entity: { code: 'E1', description: 'Una almazara.' },
      applied: ['entity.description'],
    });
    expect((await program.ask('GET', '/v1/organization')).body).toMatchObject({
      group: { code: 'G1', description: '' },
      entity: { description: 'Una almazara.' },
      missing: ['group.description', 'group.system_prompt', 'entity.system_prompt'],
    });
  });

  it('a focus belongs to the key until it is released', async () => {
    const focus = (entity_code: unknown) => program.ask('POST', '/v1/session/active-entity', { entity_code });
    expect(await focus('E1')).toMatchObject({ status: 200, body: { active_entity: 'E1', entity_is_fixed: false } });
    expect((await program.ask('GET', '/v1/session')).body).toMatchObject({ active_entity: 'E1' });
    expect(await focus(null)).toMatchObject({ status: 200, body: { active_entity: null } });
  });

  const search = '/v1/documents/search';
  it.each([
    ['no credential', 'GET', '/v1/session', undefined, { authorization: '' }, 401, 'UNAUTHORIZED'],
    [
      'a key that does not exist',
      'GET',
      '/v1/session',
      undefined,
      { authorization: `Bearer acv_1${'0'.repeat(34)}_${'0'.repeat(33)}` },
      401,
      'UNAUTHORIZED',
    ],
    ['no credential and a broken body', 'POST', search, '{', { authorization: '' }, 401, 'UNAUTHORIZED'],
    ['a broken body', 'POST', search, '{', {}, 400, 'INVALID_REQUEST'],
    ['a blank query', 'POST', search, { query: ' ' }, {}, 400, 'INVALID_REQUEST'],
    ['no query', 'POST', search, {}, {}, 422, 'VALIDATION_ERROR'],
    ['a limit of 0', 'POST', search, { query: 'x', limit: 0 }, {}, 422, 'VALIDATION_ERROR'],
    ['a limit of 101', 'POST', search, { query: 'x', limit: 101 }, {}, 422, 'VALIDATION_ERROR'],
    ['a similarity above 1', 'POST', search, { query: 'x', min_similarity: 1.1 }, {}, 422, 'VALIDATION_ERROR'],
    ['an unknown field', 'POST', search, { query: 'x', nombre: 1 }, {}, 422, 'VALIDATION_ERROR'],
    [
      'an unknown field inside the filter',
      'POST',
      search,
      { query: 'x', filter: { a: [] } },
      {},
      422,
      'VALIDATION_ERROR',
    ],
    ['an unknown space', 'POST', search, { query: 'x', space_id: 1 }, {}, 404, 'NOT_FOUND'],
    ['an unknown folder', 'POST', search, { query: 'x', location_code: 'L9' }, {}, 404, 'NOT_FOUND'],
    ['an entity of another user', 'POST', search, { query: 'x', entity_code: 'E9' }, {}, 404, 'NOT_FOUND'],
    ['an unknown document', 'GET', '/v1/documents/D9999999', undefined, {}, 404, 'NOT_FOUND'],
    ['an unknown entity of a profile', 'GET', '/v1/organization?entity_code=E9', undefined, {}, 404, 'NOT_FOUND'],
    ['a profile with nothing to write', 'PUT', '/v1/organization', {}, {}, 400, 'INVALID_REQUEST'],
    ['a profile with an unknown text', 'PUT', '/v1/organization', { nombre: 'x' }, {}, 422, 'VALIDATION_ERROR'],
    ['a code with spaces', 'GET', '/v1/documents/a%20b', undefined, {}, 404, 'NOT_FOUND'],
    ['an unknown status', 'GET', '/v1/documents?status=VECTORIZADO', undefined, {}, 422, 'VALIDATION_ERROR'],
    ['a page of 0', 'GET', '/v1/documents?page=0', undefined, {}, 422, 'VALIDATION_ERROR'],
    ['a parameter twice', 'GET', '/v1/documents?page=1&page=2', undefined, {}, 422, 'VALIDATION_ERROR'],
    ['an unknown folder of a list', 'GET', '/v1/documents?location_code=L9', undefined, {}, 404, 'NOT_FOUND'],
    ['a focus without its field', 'POST', '/v1/session/active-entity', {}, {}, 422, 'VALIDATION_ERROR'],
    ['an area focus without its field', 'POST', '/v1/session/active-area', {}, {}, 422, 'VALIDATION_ERROR'],
    ['an unknown entity', 'POST', '/v1/session/active-entity', { entity_code: 'E9' }, {}, 404, 'NOT_FOUND'],
    ['an unknown area', 'POST', '/v1/session/active-area', { area_code: 'A9' }, {}, 404, 'NOT_FOUND'],
    ['edges of an unknown document', 'GET', '/v1/documents/D9999999/edges', undefined, {}, 404, 'NOT_FOUND'],
    ['no neighbours', 'GET', '/v1/documents/D1/edges?neighbor_limit=0', undefined, {}, 422, 'VALIDATION_ERROR'],
    ['a page of 201 folders', 'GET', '/v1/locations?limit=201', undefined, {}, 422, 'VALIDATION_ERROR'],
    ['an invalid cursor', 'GET', '/v1/locations?cursor=x', undefined, {}, 400, 'INVALID_REQUEST'],
    ['areas below an unknown one', 'GET', '/v1/areas?parent_code=A9', undefined, {}, 404, 'NOT_FOUND'],
    ['an unknown route', 'GET', '/v1/nothing', undefined, {}, 404, 'NOT_FOUND'],
    ['an internal path on the public port', 'GET', '/metrics', undefined, {}, 404, 'NOT_FOUND'],
    ['a call on the public port', 'POST', '/internal/calls/documents.search', {}, {}, 404, 'NOT_FOUND'],
  ])('the error envelope for %s contains its code', async (_what, method, path, body, headers, status, code) => {
    const answer = await program.ask(method, path, body, { 'x-request-id': 'journey-1', ...headers });
    expect(answer.body).toEqual({
      code,
      message: expect.any(String) as string,
      details: expect.any(Object) as object,
      request_id: 'journey-1',
    });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).not.toContain('nombre');
  });

  it('unknown filter codes return an empty list', async () => {
    expect(await program.search('agua', { filter: { document_types: ['CONTRATO'] } })).toEqual([]);
  });

  it('the API describes itself', async () => {
    const { body } = await program.ask('GET', '/openapi.json');
    expect(Object.keys(body['paths'] as object).toSorted()).toEqual([
      '/v1/agent/context',
      '/v1/agent/tools/{public_name}',
      '/v1/areas',
      '/v1/ask',
      '/v1/catalog',
      '/v1/catalog/characteristics',
      '/v1/catalog/document-types',
      '/v1/conversations',
      '/v1/conversations/{conversation_id}',
      '/v1/documents',
      '/v1/documents/search',
      '/v1/documents/{document_code}',
      '/v1/documents/{document_code}/edges',
      '/v1/functions/{function_code}',
      '/v1/locations',
      '/v1/operations',
      '/v1/operations/{code}',
      '/v1/operations/{code}:execute',
      '/v1/organization',
      '/v1/organization/draft',
      '/v1/processes',
      '/v1/processes/{process_code}',
      '/v1/queue',
      '/v1/runs',
      '/v1/session',
      '/v1/session/active-area',
      '/v1/session/active-entity',
      '/v1/skills',
      '/v1/skills/{skill_code}',
      '/v1/skills/{skill_code}/run',
      '/v1/spaces',
      '/v1/spaces/compose',
      '/v1/spaces/{space_id}',
      '/v1/spaces/{space_id}/promote',
      '/v1/spaces/{space_id}/read',
      '/v1/spaces/{space_id}/refresh',
      '/v1/usage',
      '/version',
      '/version/cliente/latest',
      '/version/cliente/publicar',
      '/version/cloud/latest',
    ]);
    expect(body).toEqual(JSON.parse(readFileSync(join(repository, 'docs', 'openapi.json'), 'utf8')));
    expect((await program.ask('GET', '/docs')).status).toBe(200);
    const { body: version } = await program.ask('GET', '/version');
    expect(version).toMatchObject({ version: '0.1.0' });
    // Null outside of a checkout, as in an archive of the sources.
    expect(String(version['commit'])).toMatch(/^([0-9a-f]{40}|null)$/);
  });

  it('the log contains no keys, texts or queries', () => {
    const log = readFileSync(join(place.path, 'data', 'logs', 'acervo.log'), 'utf8');
    expect(log.length).toBeGreaterThan(1_000);
    for (const secret of [program.key, program.key.slice(-33, -6), 'averia del camion', 'acequiero'])
      expect(log).not.toContain(secret);
    expect(existsSync(join(place.path, 'data', 'secrets.json'))).toBe(true);
  });

  it('no file, folder or socket of the installation is open to other users', () => {
    const data = join(place.path, 'data');
    const names = ['.', ...readdirSync(data, { recursive: true }).map(String)];
    const open = names.filter((name) => ((statSync(join(data, name), absent)?.mode ?? 0) & 0o077) !== 0);
    // The database of the stack lies elsewhere.
    expect(names.length).toBeGreaterThan(onStack() ? 1 : 1_000);
    expect(open).toEqual([]);
  });
});
