/**
 * The built installation runs in this process, so that the test can make changes for which no HTTP route exists.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { Database } from '@acervo/platform-database';
import { onStack } from '@acervo/platform-testing';
import { type Standalone, startEnvironment, startStandalone } from '@acervo/standalone';
import { stackEnvironment } from '../harness/on-stack';
import { freePort, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';
import { WordEmbedder } from '../harness/word-embedder';
import { assertEnglish } from '../harness/english';

type Body = Record<string, unknown>;
type Named = readonly { readonly name: string; readonly code: string }[];

const ADMIN = { email: 'admin@acervo.local', password: 'una clave larga de prueba' };
const READER = 'lectora@acervo.local';
const SECRET = 'cerrado/c1.txt';
const FILES = {
  'abierto/a1.txt': 'La acequia del norte riega el huerto de los almendros.',
  'abierto/a2.txt': 'La acequia del sur riega la viña vieja.',
  [SECRET]: 'La acequia cubierta pasa bajo el molino.',
};

describe('a change of access', () => {
  const place = temporary();
  const words = new WordEmbedder();
  let running: Standalone;
  let database: Database;
  let key = '';
  let session = '';
  let searches = 0;
  let hidden = '';
  let folders: Record<string, string> = {};

  const ask = async (method: string, path: string, bearer: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${running.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assertEnglish(path, answer.status, text);
    return { status: answer.status, body: JSON.parse(text) as Body };
  };
  const change = (sql: string, params: readonly unknown[] = []) =>
    database.write({ groupId: running.group.groupId }, (tx) => tx.query(sql, [running.group.groupId, ...params]));
  const named = ({ status, body }: { status: number; body: Body }, list: string, by: 'name' | 'code' = 'name') =>
    status === 200 ? (body[list] as Named).map((each) => each[by]).toSorted() : (body['code'] as string);

  /** Executes an operation as programs do. */
  const execute = (code: string, input: object) => ask('POST', `/v1/operations/${code}:execute`, key, { input });
  const counted = async () => {
    const { status, body } = await execute('documents.count_by_status', {});
    return status === 200 ? (body['result'] as Body)['total'] : (body['code'] as string);
  };

  /** The current answers of each reader of documents, areas and folders. */
  const view = async () => {
    searches += 1;
    return {
      list: named(await ask('GET', '/v1/documents', key), 'documents'),
      search: named(await ask('POST', '/v1/documents/search', key, { query: 'acequia riega molino' }), 'documents'),
      detail: (await ask('GET', `/v1/documents/${hidden}`, key)).status,
      edges: (await ask('GET', `/v1/documents/${hidden}/edges`, key)).status,
      chunks: (await execute('documents.get_chunks', { document_code: hidden })).status,
      counted: await counted(),
      areas: named(await ask('GET', '/v1/areas', key), 'areas', 'code'),
      locations: named(await ask('GET', '/v1/locations', key), 'locations'),
    };
  };
  const all = ['a1.txt', 'a2.txt', 'c1.txt'];
  const open = ['a1.txt', 'a2.txt'];
  const every = (code: string, status: number) => ({
    ...{ list: code, search: code, counted: code, areas: code, locations: code },
    ...{ detail: status, edges: status, chunks: status },
  });
  const sees = (documents: readonly string[], areas: readonly string[], locations: readonly string[]) => {
    const status = documents.includes('c1.txt') ? 200 : 404;
    const each = { detail: status, edges: status, chunks: status };
    return { list: documents, search: documents, counted: documents.length, ...each, areas, locations };
  };
  const grant = (area: string | null) =>
    change(
      `update auth.user_entity set area_code = $2 where group_id = $1 and user_id = (
      select user_id from auth.app_user where email = '${READER}')`,
      [area],
    );

  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    const data = join(place.path, 'data');
    write(folder, FILES);
    const { engines, server } = startEnvironment(await stackEnvironment(data));
    running = await startStandalone(
      {
        ...{ folder, sample: folder, data, port: await freePort(), processes: onStack() },
        ...{ scanOnly: false, acceptDeletions: false },
        embedder: 'words',
      },
      {
        ...{ administrator: ADMIN.email, administratorPassword: ADMIN.password, mail: {}, logLevel: 'error' },
        failpoint: undefined,
        ...{ engines, server },
        embedder: {
          ...{ ACERVO_EMBEDDER: 'words', ACERVO_EMBEDDER_URL: await words.open(), ACERVO_EMBEDDER_MODEL: 'words' },
        },
      },
      () => undefined,
    );
    await running.ingested;
    database = new Database({ ...running.connection('auth_app'), max: 1 });
    await change(`insert into auth.app_user (group_id, email, name) values ($1, '${READER}', 'Lectora')`);
    await change(`insert into auth.user_role (group_id, user_id, role_id)
      select group_id, user_id, 1 from auth.app_user where group_id = $1 and email = '${READER}'`);
    await change(`insert into auth.user_entity (group_id, user_id, entity_code)
      select group_id, user_id, 'E1' from auth.app_user where group_id = $1 and email = '${READER}'`);
    session = String((await ask('POST', '/auth/login', '', ADMIN)).body['access_token']);
    const made = { nombre: 'lectora', codigo_usuario_destino: READER };
    key = String((await ask('POST', '/auth/api-key', session, made)).body['api_key']);
    const { documents } = (await ask('GET', '/v1/documents', key)).body as { documents: Named };
    hidden = documents.find(({ name }) => name === 'c1.txt')?.code ?? '';
    const { locations } = (await ask('GET', '/v1/locations', key)).body as { locations: Named };
    folders = Object.fromEntries(locations.map(({ name, code }) => [name, code]));
    await change(`insert into auth.area (group_id, code, entity_code, parent_code, name) values
      ($1, 'A', 'E1', null, 'Arriba'), ($1, 'B', 'E1', 'A', 'Abajo')`);
    await change(`insert into auth.area_location values ($1, 'A', $2)`, [folders['abierto']]);
  }, 300_000);
  afterAll(async () => {
    await database.close();
    await running.stop();
    await words.close();
    place.remove();
  });

  it('a key that is used on /v1 shows the day of its use', async () => {
    await ask('POST', '/auth/api-key', session, { nombre: 'sin uso' });
    const lastUses = async () => {
      const { body } = await ask('GET', '/auth/api-key', session);
      const keys = (body['items'] ?? body) as { nombre: string; fecha_ultimo_uso?: string | null }[];
      return new Map(keys.map(({ nombre, fecha_ultimo_uso: day }) => [nombre, day]));
    };
    await until('the use is noted', async () => /^\d{4}-\d\d-\d\d$/.test(String((await lastUses()).get('lectora'))));
    expect((await lastUses()).get('sin uso')).toBeNull();
  });

  it('areas of two entities need a focus, or an entity in the request', async () => {
    await change(`insert into auth.entity (group_id, code, name) values ($1, 'E2', 'Otra')`);
    await change(`insert into auth.area (group_id, code, entity_code, name) values ($1, 'C', 'E2', 'De otra')`);
    await grant('A');
    await change(`insert into auth.user_entity (group_id, user_id, entity_code, area_code)
      select group_id, user_id, 'E2', 'C' from auth.app_user where group_id = $1 and email = '${READER}'`);
    expect(await view()).toEqual(every('INVALID_CONTEXT', 400));
    expect((await ask('GET', '/v1/documents', key)).body).toMatchObject({
      message: expect.stringContaining('POST /v1/session/active-entity') as string,
    });

    const within = async (entity: string) => ({
      search: named(
        await ask('POST', '/v1/documents/search', key, { query: 'acequia riega molino', entity_code: entity }),
        'documents',
      ),
      areas: named(await ask('GET', `/v1/areas?entity_code=${entity}`, key), 'areas', 'code'),
      locations: named(await ask('GET', `/v1/locations?entity_code=${entity}`, key), 'locations'),
      organization: (await ask('GET', `/v1/organization?entity_code=${entity}`, key)).status,
    });
    const first = { search: open, areas: ['A', 'B'], locations: ['abierto'], organization: 200 };
    expect([await within('E1'), await within('E2')]).toEqual([
      first,
      { search: [], areas: ['C'], locations: [], organization: 200 },
    ]);
    expect(await within('E9')).toEqual({
      ...{ search: 'NOT_FOUND', areas: 'NOT_FOUND', locations: 'NOT_FOUND', organization: 404 },
    });
    await ask('POST', '/v1/session/active-entity', key, { entity_code: 'E2' });
    expect(await within('E1')).toEqual(first);
    expect(named(await ask('GET', '/v1/areas', key), 'areas', 'code')).toEqual(['C']);

    await ask('POST', '/v1/session/active-entity', key, { entity_code: null });
    await change(`delete from auth.user_entity where group_id = $1 and entity_code = 'E2'`);
    await change(`delete from auth.area where group_id = $1 and code = 'C'`);
    await change(`delete from auth.entity where group_id = $1 and code = 'E2'`);
    await grant(null);
  });

  it('a change of access applies to the next request, without new embeddings', async () => {
    const embedded = words.embedded;
    const before = searches;
    const whole = sees(all, ['A', 'B'], ['abierto', 'cerrado', 'folder']);
    expect(await view()).toEqual(whole);

    await grant('A');
    expect(await view()).toEqual(sees(open, ['A', 'B'], ['abierto']));
    await change(`insert into auth.area_location values ($1, 'B', $2)`, [folders['cerrado']]);
    expect(await view()).toEqual(sees(all, ['A', 'B'], ['abierto', 'cerrado']));
    await change(`update auth.area set parent_code = null where group_id = $1 and code = 'B'`);
    expect(await view()).toEqual(sees(open, ['A'], ['abierto']));
    await change(`update auth.area set parent_code = 'A' where group_id = $1 and code = 'B'`);
    await change(`delete from auth.area_location where group_id = $1 and area_code = 'B'`);
    expect(await view()).toEqual(sees(open, ['A', 'B'], ['abierto']));

    expect((await ask('POST', '/v1/session/active-area', key, { area_code: 'A' })).status).toBe(200);
    await grant('B');
    expect(await view()).toEqual(every('CONTEXT_CONFLICT', 409));
    expect((await ask('GET', '/v1/session', key)).body).toMatchObject({ focus_is_stale: true, active_area: 'A' });
    const repaired = await ask('POST', '/v1/session/active-area', key, { area_code: null });
    expect(repaired).toMatchObject({ status: 200, body: { focus_is_stale: false, effective_area: 'B' } });
    expect(await view()).toEqual(sees([], ['B'], []));

    await grant(null);
    expect(await view()).toEqual(whole);
    expect((await ask('DELETE', `/usuarios/${READER}/entidades/E1`, session)).status).toBe(200);
    expect(await view()).toEqual(every('CONTEXT_CONFLICT', 409));
    await ask('POST', '/v1/session/active-entity', key, { entity_code: null });
    expect(await view()).toEqual({ ...sees([], [], []), areas: 'INVALID_CONTEXT' });
    await ask('POST', `/usuarios/${READER}/entidades`, session, { codigo_entidad: 'E1' });
    expect(await view()).toEqual(whole);

    // A folder in a request narrows that request only.
    const inside = `location_code=${folders['cerrado']}`;
    expect(named(await ask('GET', `/v1/documents?${inside}`, key), 'documents')).toEqual(['c1.txt']);
    const narrowed = { query: 'acequia riega molino', location_code: folders['cerrado'] };
    searches += 1;
    expect(named(await ask('POST', '/v1/documents/search', key, narrowed), 'documents')).toEqual(['c1.txt']);
    expect((await ask('GET', '/v1/session', key)).body).toMatchObject({ active_entity: null, active_area: null });
    expect(await view()).toEqual(whole);

    const role = (to: number, from: number) =>
      change(
        `update auth.user_role set role_id = $2 where group_id = $1 and role_id = $3 and user_id = (
        select user_id from auth.app_user where email = '${READER}')`,
        [to, from],
      );
    await role(9_999, 1);
    expect(await view()).toEqual(every('UNAUTHORIZED', 401));
    await role(1, 9_999);
    expect(await view()).toEqual(whole);
    const { body } = await ask('GET', '/auth/api-key', session);
    const { prefijo } =
      ((body['items'] ?? body) as { prefijo: string; nombre: string }[]).find(({ nombre }) => nombre === 'lectora') ??
      {};
    expect((await ask('DELETE', `/auth/api-key/${prefijo}`, session)).status).toBe(200);
    expect(await view()).toEqual(every('UNAUTHORIZED', 401));

    // Each permitted search embeds its query, and nothing of the folder is embedded: a measurement of vectors may be.
    const refused = 4;
    const asked = words.texts.slice(embedded);
    expect(asked.filter((text) => text.startsWith('acequia')).length).toBeLessThanOrEqual(searches - before - refused);
    expect(asked.filter((text) => text.includes('La acequia'))).toEqual([]);
  }, 300_000);
});
