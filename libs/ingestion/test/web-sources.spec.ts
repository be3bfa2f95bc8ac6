import {
  cancelIngestionRun,
  createLocation,
  deleteLocation,
  getDocument,
  getDocumentEdges,
  InvalidMeaning,
  listDocuments,
  listRuns,
  materializeWeb,
  NotFound,
  rebuildHierarchy,
  researchWeb,
  reviewWeb,
  syncLocation,
} from '@acervo/contracts';
import { Failpoints } from '@acervo/platform-messaging';
import { AddressNotFetched } from '../src/web-sources/start-addresses';
import { Bench, newGroup } from './bench';
import { ChatServer, htmlPage, type SitePage, WebSite } from '@acervo/platform-testing';

type JsonObject = Record<string, unknown>;
interface Listed {
  readonly code: string;
  readonly name: string;
  readonly status: string;
  readonly url: string;
  readonly location: string;
  readonly fs: JsonObject;
}
interface Candidate {
  readonly url: string;
  readonly score: number;
  readonly why: string;
  readonly decision: string;
  readonly problem: string | null;
}

const TOPIC = 'riego de huertos con agua reciclada';
const SITE: Readonly<Record<string, SitePage>> = {
  '/': htmlPage('Inicio', 'Noticias de la comarca y sus vecinos.', ['/riego.html', '/museo.html', '/huertos.html']),
  '/riego.html': htmlPage('Riego', 'El riego por goteo ahorra agua en los huertos de almendros.', ['/filtro.txt']),
  '/huertos.html': htmlPage('Huertos', 'Los huertos reciben agua reciclada por turnos de riego.'),
  '/museo.html': htmlPage('Museo', 'El museo muestra cerámica en cuatro salas.'),
  '/robots.txt': { body: 'User-agent: *\nDisallow: /privado', type: 'text/plain' },
};

describe('a web location', () => {
  let bench: Bench;
  let site: WebSite;
  // What it answers unless a test scripts it is no answer of the schema.
  const chat = new ChatServer();
  beforeAll(async () => {
    site = await WebSite.open(SITE);
    const model = { ACERVO_CHAT_URL: await chat.open(), ACERVO_CHAT_MODEL: 'small', ACERVO_CHAT_SUMMARIES: 'false' };
    const environment = { ...site.environment, ...model };
    bench = await Bench.open(undefined, undefined, { environment });
  });
  beforeEach(() => {
    site.pages.clear();
    for (const [path, page] of Object.entries(SITE)) site.pages.set(path, page);
    site.requests.length = 0;
    site.answers = () => undefined;
    chat.received.length = 0;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await bench.close();
    await site.close();
    await chat.close();
  });

  const group = (groupId = newGroup()) => {
    const ask = (call: Parameters<Bench['askAs']>[0], input: JsonObject = {}) =>
      bench.askAs(call, groupId, input, { groupCode: 'G1', activeEntity: 'E1' }, 'operations');
    const documents = async (): Promise<Listed[]> =>
      (await bench.askAs(listDocuments, groupId, { limit: 100 }))['documents'] as Listed[];
    const create = (more: JsonObject = {}) =>
      ask(createLocation, { name: 'Riego', start_urls: [site.url('/')], topic: TOPIC, ...more });
    const sql = (text: string, ...values: unknown[]): Promise<JsonObject[]> =>
      bench.database.write({ groupId }, (tx) => tx.query<JsonObject>(text, [groupId, ...values]));
    return { groupId, ask, documents, create, sql };
  };

  /** A researched location. */
  const researched = async (more: JsonObject = {}) => {
    const made = group();
    const { location_code } = await made.create(more);
    await bench.work(made.groupId);
    const code = String(location_code);
    const review = async (input: JsonObject = {}): Promise<Candidate[]> =>
      (await made.ask(reviewWeb, { location_code: code, ...input }))['candidates'] as Candidate[];
    const refresh = async (by = bench): Promise<JsonObject> => {
      await made.ask(materializeWeb, { location_code: code });
      await by.work(made.groupId);
      return ((await bench.askAs(listRuns, made.groupId, {}))['runs'] as JsonObject[])[0] ?? {};
    };
    return { ...made, code, review, refresh };
  };

  /** One with the documents of two pages. */
  const materialised = async () => {
    const made = await researched();
    await made.review({ approve: [site.url('/riego.html'), site.url('/huertos.html')] });
    await made.refresh();
    site.requests.length = 0;
    await bench.forget();
    return made;
  };

  it('names either a path or start pages with a topic', async () => {
    const { ask, create } = group();
    for (const input of [{}, { path: '/x', name: 'Web', start_urls: [site.url('/')], topic: TOPIC }, { name: 'Web' }])
      await expect(ask(createLocation, input)).rejects.toThrow(InvalidMeaning);
    for (const url of ['http://10.0.0.1/', 'ftp://site.example/', 'nothing'])
      await expect(create({ start_urls: [url] })).rejects.toThrow(AddressNotFetched);
    for (const more of [{ name: ' ' }, { start_urls: [] }, { topic: ' ' }, { name: 'a/b' }])
      await expect(create(more)).rejects.toThrow(InvalidMeaning);
  });

  it('is one location when it is added twice', async () => {
    const { create } = group();
    const first = await create();
    expect(first).toMatchObject({ name: 'Riego', created: true, run: 1 });
    expect(await create({ name: 'Otro' })).toEqual({ ...first, created: false });
  });

  it('lists pages about the topic with their reasons', async () => {
    const { ask, code, review } = await researched();
    const [first, second] = await review();
    expect([first?.url, second?.url].toSorted()).toEqual([site.url('/huertos.html'), site.url('/riego.html')]);
    expect(first).toMatchObject({
      decision: 'UNDECIDED',
      language: 'es',
      why: expect.stringMatching(/words/) as string,
    });
    const page = await ask(reviewWeb, { location_code: code, limit: 1 });
    expect(page).toMatchObject({ candidates: [first], approved: 0 });
    expect(await review({ limit: 1, cursor: page['next_cursor'] })).toEqual([second]);
  });

  it('lists pages in the order and with the reasons of a chat model', async () => {
    const why = 'Explica los turnos de riego con agua reciclada.';
    const pages = [
      { url: site.url('/huertos.html'), relevance: 1, why },
      { url: site.url('/riego.html'), relevance: 0.1, why: 'Vea [más](http://evil.example).' },
      { url: 'http://evil.example/', relevance: 1, why: 'Otra.' },
    ];
    chat.scripts.push({ kind: 'text', parts: [JSON.stringify({ pages })] });
    const { review } = await researched();
    const [first, second, ...others] = await review();
    expect(others.map(({ url }) => url)).not.toContain('http://evil.example/');
    expect(first).toMatchObject({ url: site.url('/huertos.html'), why });
    expect(second).toMatchObject({
      url: site.url('/riego.html'),
      why: expect.stringMatching(/words of the topic/) as string,
    });
    expect(first?.score).toBeGreaterThan(second?.score ?? 1);
    const [asked] = chat.received;
    const [system, user] = asked?.body.messages ?? [];
    expect(system?.content).toContain('páginas de la web');
    expect(user?.content).toMatch(new RegExp(`<data (\\w+) label="page 1">\nurl: ${site.url('/')}[^]+</data \\1>`));
    expect(JSON.stringify(asked?.body.response_format)).toContain(
      JSON.stringify([site.url('/riego.html')]).slice(1, -1),
    );
  });

  it.each(['a group without tokens', 'an answer of another form'])(
    'keeps its own order and reasons with %s',
    async (of) => {
      bench.hasTokens = of !== 'a group without tokens';
      const { review } = await researched();
      bench.hasTokens = true;
      expect(chat.received).toHaveLength(of === 'a group without tokens' ? 0 : 1);
      for (const { why } of await review()) expect(why).toMatch(/words of the topic/);
    },
  );

  it('keeps decisions over further research', async () => {
    const { groupId, ask, code, review } = await researched();
    await review({ approve: ['*riego*'], reject: ['*huertos*'] });
    await ask(researchWeb, { location_code: code });
    await bench.work(groupId);
    const decided = new Map((await review()).map(({ url, decision }) => [url, decision]));
    expect(decided.get(site.url('/riego.html'))).toBe('APPROVED');
    expect(decided.get(site.url('/huertos.html'))).toBe('REJECTED');
    expect((await review({ decision: 'APPROVED' })).map(({ url }) => url)).toEqual([site.url('/riego.html')]);
  });

  it('makes documents of approved pages alone', async () => {
    const { documents, code, review, refresh, groupId } = await researched();
    await review({ approve: [site.url('/riego.html')] });
    site.requests.length = 0;
    expect(await refresh()).toMatchObject({ status: 'COMPLETED', seen: 1, added: 1, notice: null });
    expect(site.requests.map(({ path }) => path)).toEqual(['/riego.html']);
    const [document, ...others] = await documents();
    expect(others).toEqual([]);
    expect(document).toMatchObject({
      ...{ url: site.url('/riego.html'), location: `/Riego/127.0.0.1:${site.port}/riego.html` },
      fs: {
        ...{ home_var: null, relative_path: `127.0.0.1:${site.port}/riego.html`, origin: 'WEB' },
        ...{ path: `/Riego/127.0.0.1:${site.port}/riego.html`, is_public_url: true, is_cloud_only: false },
      },
    });
    expect(document?.name).toMatch(/^riego-[\da-f]{8}\.html$/);
    expect(document?.status).not.toBe('ERROR');
    const events = (await bench.published()).map((event) => event['payload']);
    const origin = { origin: 'WEB', url: site.url('/riego.html'), home_var: null };
    expect(events).toContainEqual(expect.objectContaining(origin));
    expect(await bench.askAs(getDocument, groupId, { document_code: document?.code })).toMatchObject({
      url: document?.url,
    });
    const edges = await bench.askAs(getDocumentEdges, groupId, { document_code: document?.code });
    expect(edges['document']).toMatchObject({ url: document?.url, location: document?.location, fs: document?.fs });
    expect(code).toBe('L10000');
  });

  it('adds an approved address that no research found as a public document', async () => {
    const { documents, review, refresh } = await researched();
    site.pages.set('/suelto.txt', { body: 'Las tarifas del agua suben en enero.', type: 'text/plain' });
    await review({ approve: [site.url('/suelto.txt')] });
    await refresh();
    expect((await documents()).map(({ fs }) => fs)).toMatchObject([{ origin: 'PUBLIC', is_public_url: true }]);
  });

  it('shows the token of the group to no site without https, and stores it nowhere', async () => {
    const token = 'a-token-of-the-web';
    bench.webToken = { host: `127.0.0.1:${site.port}`, token };
    const { groupId, documents, sql } = await materialised();
    bench.webToken = { host: null, token: null };
    expect(await documents()).toHaveLength(2);
    expect(site.authorizations).toEqual([]);
    const tables = await sql(
      `select (select json_agg(p)::text from ingestion.web_page p) as pages, (select json_agg(d)::text from ingestion.document d) as documents,
         (select json_agg(r)::text from ingestion.run r) as runs, (select json_agg(t)::text from ingestion.task t) as tasks
       where $1::uuid is not null`,
    );
    expect(JSON.stringify([tables, groupId])).not.toContain(token);
  });

  it('costs one conditional request for an unchanged page', async () => {
    const { documents, refresh } = await materialised();
    const before = await documents();
    expect(await refresh()).toMatchObject({ seen: 2, added: 0, changed: 0, missing: 0 });
    expect(site.requests).toHaveLength(2);
    expect(site.requests.every(({ isConditional }) => isConditional)).toBe(true);
    expect([bench.cpu.runs, bench.source.read, await bench.published()]).toEqual([[], [], []]);
    expect(await documents()).toEqual(before);
  });

  it('reads a changed page again under the same code', async () => {
    const { documents, refresh } = await materialised();
    const before = await documents();
    site.pages.set('/riego.html', htmlPage('Riego', 'El riego nocturno ahorra la mitad del agua.'));
    expect(await refresh()).toMatchObject({ seen: 2, added: 0, changed: 1 });
    expect(bench.source.read).toHaveLength(1);
    expect((await documents()).map(({ code }) => code)).toEqual(before.map(({ code }) => code));
  });

  it('keeps a page that is gone once, and misses it the second time', async () => {
    const { documents, review, refresh } = await materialised();
    site.pages.delete('/riego.html');
    const statusOf = async (path: string): Promise<string | undefined> =>
      (await documents()).find(({ url }) => url === site.url(path))?.status;
    const before = await statusOf('/riego.html');
    await refresh();
    expect(await statusOf('/riego.html')).toBe(before);
    expect(await refresh()).toMatchObject({ missing: 1 });
    expect(await statusOf('/riego.html')).toBe('MISSING');
    expect((await review()).find(({ url }) => url === site.url('/riego.html'))?.problem).toMatch(/gone/);
    site.pages.set('/riego.html', SITE['/riego.html'] ?? { body: '' });
    await refresh();
    expect(await statusOf('/riego.html')).toBe(before);
  });

  it('counts the page that its site shows for absent ones as absent', async () => {
    const { documents, refresh } = await materialised();
    const before = await documents();
    const absent = htmlPage('Perdón', 'No encontramos esta página. Use el buscador o vuelva a la portada.');
    site.answers = () => absent;
    site.pages.set('/riego.html', absent);
    await refresh();
    expect(await documents()).toEqual(before);
    expect(await refresh()).toMatchObject({ missing: 1 });
  });

  it('misses an absent page at once where deletions are accepted', async () => {
    const { groupId, ask, code, documents } = await materialised();
    site.pages.delete('/riego.html');
    await ask(syncLocation, { location_code: code, accept_deletions: true });
    await bench.work(groupId);
    expect((await documents()).map(({ status }) => status).filter((status) => status === 'MISSING')).toHaveLength(1);
  });

  it('takes a rejected page out of search', async () => {
    const { documents, review, refresh } = await materialised();
    await review({ reject: [site.url('/huertos.html')] });
    await refresh();
    expect(site.times('/huertos.html')).toBe(0);
    expect((await documents()).find(({ url }) => url === site.url('/huertos.html'))?.status).toBe('MISSING');
  });

  it('keeps a page that the rules of its site forbid later, and says so', async () => {
    const { documents, refresh } = await materialised();
    const before = await documents();
    // Rules are remembered for an hour by each process.
    const other = await bench.beside();
    site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow: /riego', type: 'text/plain' });
    expect(await refresh(other)).toMatchObject({
      missing: 0,
      notice: expect.stringMatching(/robots/) as string,
    });
    expect([site.times('/riego.html'), site.times('/huertos.html')]).toEqual([0, 1]);
    expect(await documents()).toEqual(before);
  });

  it('stores what each page of research changed', async () => {
    const { groupId, ask, create, sql } = group();
    const { location_code, run } = await create();
    let passed = 0;
    jest.spyOn(Failpoints.none, 'hit').mockImplementation((name) => {
      if (name === 'web.page' && (passed += 1) === 3) throw Object.assign(new Error('killed'), { code: 'ECONNRESET' });
    });
    await bench.workStage(groupId, 'web').catch(() => undefined);
    jest.restoreAllMocks();
    const [beginning] = await sql(`select research from ingestion.web_root where group_id = $1`);
    expect(beginning?.['research']).toMatchObject({ requested: 0, pages: [] });
    const steps = `select step, change->>'url' as url from ingestion.web_research_step where group_id = $1 order by step`;
    expect((await sql(steps)).map(({ step }) => step)).toEqual([1, 2, 3]);
    await ask(cancelIngestionRun, { run });
    await bench.work(groupId);
    await ask(researchWeb, { location_code });
    await bench.work(groupId);
    expect(await sql(steps)).toEqual([]);
  });

  it('goes on with research that a release before stored whole', async () => {
    const { groupId, ask, create, sql } = group();
    const { location_code } = await create();
    const page = { title: 'Riego', language: 'es', excerpt: 'Riego', depth: 1 };
    const relevance = { counts: { rieg: 2 }, similarity: 0.5, profile: { rieg: 2, agu: 1 } };
    const research = {
      frontier: {
        waiting: [{ url: site.url('/huertos.html'), depth: 1, promise: 1 }],
        seen: [site.url('/')],
        barren: {},
      },
      ...{ pages: [{ ...page, url: site.url('/riego.html'), relevance }], texts: [], lost: {}, requested: 2 },
    };
    await sql(`update ingestion.web_root set research = $2::jsonb where group_id = $1`, JSON.stringify(research));
    site.requests.length = 0;
    await bench.work(groupId);
    expect(site.times('/')).toBe(0);
    const { candidates } = (await ask(reviewWeb, { location_code })) as { candidates: Candidate[] };
    expect(candidates.map(({ url }) => url).toSorted()).toEqual([site.url('/huertos.html'), site.url('/riego.html')]);
  });

  it('goes on with cancelled research where it stopped', async () => {
    const { groupId, ask, create } = group();
    const { location_code, run } = await create();
    let passed = 0;
    jest.spyOn(Failpoints.none, 'hit').mockImplementation((name) => {
      if (name === 'web.page' && (passed += 1) === 2) throw Object.assign(new Error('killed'), { code: 'ECONNRESET' });
    });
    await bench.workStage(groupId, 'web').catch(() => undefined);
    jest.restoreAllMocks();
    await ask(cancelIngestionRun, { run });
    await bench.work(groupId);
    expect((await bench.askAs(listRuns, groupId, {}))['runs']).toMatchObject([{ status: 'CANCELLED' }]);
    expect(await ask(researchWeb, { location_code })).toEqual({ run: 2 });
    expect(await ask(researchWeb, { location_code })).toEqual({ run: 2 });
    await bench.work(groupId);
    expect(['/', '/riego.html', '/huertos.html', '/museo.html'].map((path) => site.times(path))).toEqual([1, 1, 1, 1]);
    expect((await ask(reviewWeb, { location_code }))['undecided']).toBe(3);
  });

  it('refreshes its approved pages when they are due', async () => {
    const { groupId, review, sql } = await researched();
    // A tenth of the interval passes before the first refresh of a process.
    const other = await bench.beside(undefined, { ACERVO_WEB_REFRESH_SECONDS: '60' });
    await new Promise((resolve) => setTimeout(resolve, 6_100));
    const isDue = () =>
      sql(
        `update ingestion.task set not_before = now() where group_id = $1 and stage = 'rescan' and status = 'WAITING'`,
      );
    const refreshed = async (): Promise<string[]> => {
      site.requests.length = 0;
      const times = ['created_at', 'started_at', 'finished_at', 'awaited_at'];
      await sql(`update ingestion.run set ${times.map((at) => `${at} = ${at} - interval '2 days'`).join(', ')}
        where group_id = $1`);
      await isDue();
      await other.work(groupId);
      return site.requests.map(({ path }) => path).filter((path) => path !== '/robots.txt');
    };
    expect(await refreshed()).toEqual([]);
    await review({ approve: [site.url('/riego.html')] });
    expect(await refreshed()).toEqual(['/riego.html']);
  });

  it('has no folders to rebuild', async () => {
    const { ask, code } = await materialised();
    expect(await ask(rebuildHierarchy, { location_code: code })).toMatchObject({ locations: 0, documents: 0 });
  });

  it('leaves with its pages and their content when it is deleted', async () => {
    const { groupId, ask, code, documents, sql } = await materialised();
    await ask(deleteLocation, { location_code: code });
    await bench.work(groupId);
    expect(await documents()).toEqual([]);
    for (const table of ['web_page', 'web_root'])
      expect(await sql(`select from ingestion.${table} where group_id = $1`)).toEqual([]);
    expect(await bench.objectKeys(groupId)).toEqual([]);
  });

  it('is unknown to other groups', async () => {
    const { code } = await researched();
    const { ask } = group();
    for (const call of [researchWeb, reviewWeb, materializeWeb])
      await expect(ask(call, { location_code: code })).rejects.toThrow(NotFound);
  });

  it('is no folder', async () => {
    const { groupId, ask } = group();
    const path = bench.folder('opened/no-web', { 'a.txt': 'Uno.' });
    const { location_code } = await ask(createLocation, { path });
    await bench.work(groupId);
    for (const call of [researchWeb, reviewWeb, materializeWeb])
      await expect(ask(call, { location_code })).rejects.toThrow(InvalidMeaning);
  });
});
