import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { everyScreen, keyWith, PASSWORD, People } from '../harness/people';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

const ANA = 'ana@example.org';
const SHIFTS = {
  'riego/turnos-2024.txt': 'Los turnos de la acequia vieja en 2024.',
  'riego/turnos-2025.txt': 'Los turnos de la acequia nueva en 2025.',
};
const FILES = {
  ...SHIFTS,
  'actas/acta-2024.txt': 'El acta de 2024 trata de la acequia y del pozo.',
  'actas/acta-2025.txt': 'El acta de 2025 trata del molino.',
};
/** Documents of an entity that only the administrator has. */
const HIDDEN = { 'turnos-cerrados.txt': 'Los turnos de la acequia de la almazara.' };
/** Longer than an excerpt that may be the whole document. */
const LONG = 'La comunidad reparte el agua de la acequia por turnos semanales. '.repeat(40);

type Body = Answer['body'];
type Listed = readonly { readonly code: string; readonly name: string; readonly text?: string }[];

describe('spaces over HTTP', () => {
  const place = temporary();
  const [folder, opened] = [join(place.path, 'folder'), join(place.path, 'opened')];
  const keys = { admin: '', ana: '', benito: '' };
  type Person = keyof typeof keys;
  let program: Program;

  const ask = (who: Person, method: string, path: string, body?: object, more: Record<string, string> = {}) =>
    program.ask(method, path, body, { authorization: `Bearer ${keys[who]}`, ...more });
  const execute = (who: Person, code: string, input: object, confirm = true) =>
    ask(who, 'POST', `/v1/operations/${code}:execute`, { input, confirm });
  const done = async (answer: Promise<Answer>): Promise<Body> => {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const result = async (who: Person, code: string, input: object): Promise<Body> =>
    (await done(execute(who, code, input)))['result'] as Body;
  const create = async (who: Person, name: string, criteria: object, more: object = {}): Promise<number> =>
    Number((await result(who, 'spaces.create', { name, criteria, ...more }))['space_id']);
  const compose = (who: Person, operation: string, [a, b]: readonly number[], more: object = {}) =>
    ask(who, 'POST', '/v1/spaces/compose', { operation, space_id_a: a, space_id_b: b, ...more });
  const namesOf = (list: unknown): string[] => (list as Listed).map(({ name }) => name).toSorted();
  const documentsOf = async (who: Person, space: number): Promise<string[]> =>
    namesOf((await done(ask(who, 'GET', `/v1/spaces/${space}`)))['documents']);
  const read = (who: Person, space: number, options: object) => ask(who, 'POST', `/v1/spaces/${space}/read`, options);
  const shown = async (who: Person, space: number): Promise<Body> =>
    (await done(ask(who, 'GET', `/v1/spaces/${space}`)))['space'] as Body;
  const listed = async (who: Person): Promise<number[]> =>
    ((await done(ask(who, 'GET', '/v1/spaces?limit=200')))['spaces'] as { space_id: number }[]).map(
      ({ space_id }) => space_id,
    );
  const searchable = (documents: number) =>
    until(`${documents} documents are searchable`, async () => {
      const { counts } = await result('admin', 'documents.count_by_status', {});
      return JSON.stringify(counts).includes(`"VECTORIZED","documents":${documents}`);
    });

  beforeAll(async () => {
    write(folder, { ...FILES, 'riego/reparto.txt': LONG });
    write(join(opened, 'cerrado'), HIDDEN);
    const environment = { ACERVO_ADMIN_PASSWORD: PASSWORD, ACERVO_FOLDER_ROOTS: `G1=${opened}` };
    program = await Program.start({ folder, data: join(place.path, 'data'), port: await freePort(), environment });
    await program.done();
    keys.admin = program.key;
    const reader = { level: 'USUARIO', seen: everyScreen };
    keys.ana = await keyWith(program, { email: ANA, role: 'LECTORA', ...reader });
    keys.benito = await keyWith(program, { email: 'benito@example.org', role: 'LECTOR', ...reader });
    await result('admin', 'entities.create', { code: 'E2', name: 'Almazara' });
    await result('admin', 'users.add_entity', { code: 'admin@acervo.local', entity_code: 'E2' });
    await result('admin', 'locations.create', { path: join(opened, 'cerrado'), entity_code: 'E2' });
    await searchable(6);
  });
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  let shifts = 0;
  let of2024 = 0;

  it('criteria gather the documents of a new space', async () => {
    shifts = await create('ana', 'Turnos', { name: 'turnos-*' });
    of2024 = await create('ana', 'De 2024', { name: '*2024*' });
    expect(await documentsOf('ana', shifts)).toEqual(['turnos-2024.txt', 'turnos-2025.txt']);
    expect(await shown('ana', shifts)).toMatchObject({
      ...{ space_id: shifts, name: 'Turnos', type: 'AREA', is_own: true, is_stale: false, document_count: 2 },
      criteria: { name: 'turnos-*' },
    });
    expect(await listed('ana')).toEqual([of2024, shifts]);
  });

  it.each([
    ['union', ['acta-2024.txt', 'turnos-2024.txt', 'turnos-2025.txt']],
    ['intersection', ['turnos-2024.txt']],
    ['difference', ['turnos-2025.txt']],
    ['symmetric_difference', ['acta-2024.txt', 'turnos-2025.txt']],
  ])('the %s of two spaces is a new space', async (operation, documents) => {
    const composed = await done(compose('ana', operation, [shifts, of2024]));
    expect(await documentsOf('ana', Number(composed['space_id']))).toEqual(documents);
    expect(composed).toMatchObject({ expression: { operation, space_id_a: shifts, space_id_b: of2024 } });
    expect(String(composed['name'])).toMatch(/Turnos.*De 2024/);
  });

  it('one idempotency key composes one space', async () => {
    const once = { 'idempotency-key': 'una-vez' };
    const body = { operation: 'union', space_id_a: shifts, space_id_b: of2024, name: 'Una vez' };
    expect((await ask('ana', 'POST', '/v1/spaces/compose', body, once)).status).toBe(200);
    const count = (await listed('ana')).length;
    const again = await ask('ana', 'POST', '/v1/spaces/compose', body, once);
    expect([again.status, again.body['details']]).toEqual([409, { done: true }]);
    expect(await listed('ana')).toHaveLength(count);
  });

  it('a working set is seen by its owner and administrators only', async () => {
    expect(await listed('benito')).toEqual([]);
    for (const attempt of [
      ask('benito', 'GET', `/v1/spaces/${shifts}`),
      read('benito', shifts, {}),
      ask('benito', 'POST', `/v1/spaces/${shifts}/refresh`),
      ask('benito', 'POST', `/v1/spaces/${shifts}/promote`),
      compose('benito', 'union', [shifts, shifts]),
      ask('benito', 'POST', '/v1/documents/search', { query: 'acequia', space_id: shifts }),
      execute('benito', 'spaces.delete', { space_id: shifts }),
    ]) {
      const { status, body } = await attempt;
      expect([status, body['code']]).toEqual([404, 'NOT_FOUND']);
    }
    expect(await shown('admin', shifts)).toMatchObject({ is_own: false, type: 'AREA' });
  });

  it('a promoted space is shared, and changed by its owner only', async () => {
    const promoted = await done(ask('ana', 'POST', `/v1/spaces/${shifts}/promote`));
    expect(promoted).toMatchObject({ space_id: shifts, type: 'SPACE' });
    expect((await ask('ana', 'POST', `/v1/spaces/${shifts}/promote`)).status).toBe(409);
    expect(await listed('benito')).toEqual([shifts]);
    expect(await shown('benito', shifts)).toMatchObject({ is_own: false, criteria: null, document_count: 2 });
    expect((await ask('benito', 'POST', `/v1/spaces/${shifts}/refresh`)).status).toBe(200);
    for (const attempt of [
      ask('benito', 'POST', `/v1/spaces/${shifts}/promote`),
      execute('benito', 'spaces.update', { space_id: shifts, name: 'Otra' }),
      execute('benito', 'spaces.set_criteria', { space_id: shifts, criteria: { name: '*' } }),
      execute('benito', 'spaces.delete', { space_id: shifts }),
    ]) {
      const { status, body } = await attempt;
      expect([status, body['code']]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('a space is read at four resolutions', async () => {
    expect(await done(read('benito', shifts, { resolution: 'count' }))).toEqual({
      ...{ resolution: 'count', total: 2, items: [] },
    });
    const manifest = await done(read('benito', shifts, {}));
    expect(manifest).toMatchObject({ resolution: 'manifest', total: 2 });
    expect(namesOf(manifest['items'])).toEqual(['turnos-2024.txt', 'turnos-2025.txt']);
    const chunks = await done(read('benito', shifts, { resolution: 'chunks', query: 'acequia vieja' }));
    expect((chunks['items'] as Listed)[0]).toMatchObject({
      ...{ name: 'turnos-2024.txt', text: SHIFTS['riego/turnos-2024.txt'], chunk_number: 0 },
    });
    const text = await done(read('benito', shifts, { resolution: 'text', limit: 1 }));
    expect(text).toMatchObject({ total: 2, items: [{ is_excerpt: true, text: expect.any(String) as string }] });
  });

  it('the text of a space is never a whole long document', async () => {
    const long = await create('ana', 'Reparto', { name: 'reparto.txt' });
    const { items } = await done(read('ana', long, { resolution: 'text' }));
    const [{ text = '' } = { text: '' }] = items as Listed;
    expect(LONG.startsWith(text.slice(0, 60))).toBe(true);
    expect(text.length).toBeLessThanOrEqual(LONG.length / 2);
  });

  it('a search within a space finds its documents only', async () => {
    const search = async (who: Person, more: object): Promise<string[]> =>
      namesOf((await done(ask(who, 'POST', '/v1/documents/search', { query: 'acequia', ...more })))['documents']);
    expect(await search('benito', {})).toContain('acta-2024.txt');
    expect(await search('benito', { space_id: shifts })).toEqual(['turnos-2024.txt', 'turnos-2025.txt']);
  });

  it('a hidden document shows in no answer about a space that gathers it', async () => {
    const all = await create('admin', 'Todo', { path: '**' }, { type: 'SPACE', entity_code: null });
    expect(await documentsOf('admin', all)).toHaveLength(6);
    expect(await documentsOf('ana', all)).toHaveLength(5);
    const composed = Number((await done(compose('ana', 'difference', [all, shifts])))['space_id']);
    const answers = [
      ask('ana', 'GET', '/v1/spaces?limit=200'),
      ask('ana', 'GET', `/v1/spaces/${all}?document_limit=200`),
      ask('ana', 'GET', `/v1/spaces/${composed}?document_limit=200`),
      ask('ana', 'POST', `/v1/spaces/${all}/refresh`),
      ...[all, composed].flatMap((space) => [
        ...['count', 'manifest', 'chunks', 'text'].map((resolution) =>
          read('ana', space, { resolution, query: 'acequia almazara' }),
        ),
        execute('ana', 'spaces.list_documents', { space_id: space, limit: 200 }),
        ask('ana', 'POST', '/v1/documents/search', { query: 'acequia almazara', space_id: space }),
      ]),
      execute('ana', 'spaces.delete', { space_id: composed }, false),
    ];
    for (const { status, text } of await Promise.all(answers)) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/cerrado|almazara\./i);
    }
    expect(await done(read('ana', all, { resolution: 'count' }))).toMatchObject({ total: 5 });
    expect(await done(read('ana', composed, { resolution: 'count' }))).toMatchObject({ total: 3 });
  });

  it('the web application reads spaces in Spanish with a session, and no key does', async () => {
    const paths = ['/espacios-trabajo/paginado', `/espacios-trabajo/${shifts}/documentos/paginado?limit=1`];
    for (const path of paths) {
      const refused = await ask('ana', 'GET', path);
      expect([refused.status, refused.body['codigo']]).toEqual([403, 'FORBIDDEN']);
    }
    const headers = { authorization: `Bearer ${await new People(program).tokenOf(ANA)}` };
    const [spaces, documents] = await Promise.all(paths.map((path) => program.ask('GET', path, undefined, headers)));
    expect(spaces?.body).toMatchObject({ total: (await listed('ana')).length, page: 1, limit: 50 });
    expect(spaces?.text).toContain('"tipo":"ESPACIO"');
    expect(documents?.body).toMatchObject({ items: [{ nombre: 'turnos-2024.txt' }], total: 2, limit: 1 });
  });

  it('the web application reads documents and queue in Spanish with a session, and no key does', async () => {
    const paths: [string, string, object?][] = [
      ['GET', '/documentos/paginado?codigo_estado_doc=VECTORIZADO&limit=2'],
      ['POST', '/documentos/buscar-semantico', { q: 'turnos de la acequia', limit: 3 }],
      ['GET', '/cola-estados-docs/paginado?estado=COMPLETADO&limit=1'],
    ];
    for (const [method, path, body] of paths)
      expect((await ask('ana', method, path, body)).body).toMatchObject({ codigo: 'FORBIDDEN' });
    const people = new People(program);
    const headers = { authorization: `Bearer ${await people.tokenOf(ANA)}` };
    const [page, found, refused] = await Promise.all(
      paths.map(([method, path, body]) => program.ask(method, path, body, headers)),
    );
    const administrator = { authorization: `Bearer ${await people.tokenOf('admin@acervo.local')}` };
    const queue = await program.ask(
      'GET',
      '/cola-estados-docs/paginado?estado=COMPLETADO&limit=1',
      undefined,
      administrator,
    );
    expect(page?.body).toMatchObject({
      items: [{ codigo_estado_doc: 'VECTORIZADO' }, {}],
      total: 5,
      page: 1,
      limit: 2,
    });
    expect(found?.body['resultados']).toHaveLength(3);
    expect(found?.text).not.toContain('almazara');
    expect([refused?.status, refused?.body['codigo']]).toEqual([403, 'FORBIDDEN']);
    expect(queue.body).toMatchObject({ items: [{ estado: 'COMPLETADO' }], limit: 1 });
    const hidden = ((await done(ask('admin', 'GET', '/v1/documents')))['documents'] as Listed).find(
      ({ name }) => name === 'turnos-cerrados.txt',
    );
    expect(hidden).toBeDefined();
    const path = `/documentos/${hidden?.code ?? ''}`;
    expect((await program.ask('GET', path, undefined, headers)).body).toMatchObject({ codigo: 'NOT_FOUND' });
  });

  it('a later document makes a space stale until it is refreshed', async () => {
    write(folder, { 'riego/turnos-2026.txt': 'Los turnos de la acequia en 2026.' });
    await searchable(7);
    await until('the space is stale', async () => (await shown('ana', shifts))['is_stale'] === true);
    expect(await shown('ana', shifts)).toMatchObject({ document_count: 2 });
    expect(await done(ask('ana', 'POST', `/v1/spaces/${shifts}/refresh`))).toMatchObject({
      ...{ is_stale: false, document_count: 3 },
    });
  });

  it.each<[string, string, object | undefined, number]>([
    ['GET', '/v1/spaces/x', undefined, 422],
    ['GET', '/v1/spaces/0', undefined, 422],
    ['GET', '/v1/spaces/2147483648', undefined, 422],
    ['GET', '/v1/spaces/2147483647', undefined, 404],
    ['POST', '/v1/spaces/2147483647/refresh', undefined, 404],
    ['POST', '/v1/spaces/2147483647/read', {}, 404],
    ['POST', '/v1/documents/search', { query: 'x', space_id: 9007199254740991 }, 404],
    ['POST', '/v1/spaces/compose', { operation: 'union', space_id_a: 2147483647, space_id_b: 1 }, 404],
    ['GET', '/v1/spaces?cursor=x', undefined, 400],
    ['GET', '/v1/spaces?limit=201', undefined, 422],
    ['GET', '/v1/spaces/1?document_limit=0', undefined, 422],
    ['POST', '/v1/spaces/1/read', { limit: 501 }, 422],
    ['POST', '/v1/spaces/1/read', { resolution: 'whole' }, 400],
    ['POST', '/v1/spaces/1/read', { resolution: 'chunks' }, 400],
    ['POST', '/v1/spaces/1/read', { resolution: 'chunks', query: ' ' }, 400],
    ['POST', '/v1/spaces/compose', { operation: 'minus', space_id_a: 1, space_id_b: 2 }, 400],
    ['POST', '/v1/spaces/compose', { operation: 'union', space_id_a: 1, space_id_b: 2, space_type: 'ESPACIO' }, 400],
  ])('%s %s %j answers %d', async (method, path, body, status) => {
    expect((await ask('ana', method, path, body)).status).toBe(status);
  });

  it.each([
    [{}, 'NO_CRITERION'],
    [{ min_similarity: 0.5, name: 'a' }, 'QUERY_MISSING'],
    [{ name: '*a'.repeat(11) }, 'TOO_MANY_WILDCARDS'],
  ])('criteria %j are refused', async (criteria, reason) => {
    const { status, body } = await execute('ana', 'spaces.create', { name: 'x', criteria });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason } });
  });

  it('the preview of a deletion counts what it concerns, and composed spaces stay', async () => {
    const [one, other] = [await create('ana', 'Uno', { name: 'acta-*' }), await create('ana', 'Otro', { name: '*' })];
    const composed = Number((await done(compose('ana', 'intersection', [one, other])))['space_id']);
    const preview = await done(execute('ana', 'spaces.delete', { space_id: one }, false));
    expect(preview).toMatchObject({
      ...{ executed: false, preview: { effect: { space_id: one, documents: 2, composed_spaces: 1 } } },
    });
    expect((await ask('ana', 'GET', `/v1/spaces/${one}`)).status).toBe(200);
    expect(await result('ana', 'spaces.delete', { space_id: one })).toEqual({ space_id: one, deleted: true });
    expect((await ask('ana', 'GET', `/v1/spaces/${one}`)).status).toBe(404);
    expect(await shown('ana', composed)).toMatchObject({ document_count: 2, is_stale: true });
  });

  it('a deleted user takes its working sets and leaves its shared spaces', async () => {
    const solitary = await create('ana', 'Solo suyo', { name: '*' });
    await result('admin', 'users.delete', { code: ANA });
    await until(
      'the working set is gone',
      async () => (await ask('admin', 'GET', `/v1/spaces/${solitary}`)).status === 404,
    );
    expect(await shown('admin', shifts)).toMatchObject({ is_own: false, type: 'SPACE', document_count: 4 });
    expect(await listed('benito')).toContain(shifts);
  });
});
