import {
  createLocation,
  deleteLocation,
  getDocument,
  getDocumentEdges,
  InvalidMeaning,
  materializeWeb,
  NotFound,
  rebuildHierarchy,
  researchWeb,
  reviewWeb,
  syncLocation,
} from '@acervo/contracts';
import { htmlPage } from '@acervo/platform-testing';
import { AddressNotFetched } from '../src/web-sources/start-addresses';
import { SITE, TOPIC, WebLocations } from './web-locations';

describe('a web location', () => {
  let web: WebLocations;
  beforeAll(async () => {
    web = await WebLocations.open();
  });
  beforeEach(() => web.reset());
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => web.close());

  it('names either a path or start pages with a topic', async () => {
    const { ask, create } = web.group();
    for (const input of [
      {},
      { path: '/x', name: 'Web', start_urls: [web.site.url('/')], topic: TOPIC },
      { name: 'Web' },
    ])
      await expect(ask(createLocation, input)).rejects.toThrow(InvalidMeaning);
    for (const url of ['http://10.0.0.1/', 'ftp://site.example/', 'nothing'])
      await expect(create({ start_urls: [url] })).rejects.toThrow(AddressNotFetched);
    for (const more of [{ name: ' ' }, { start_urls: [] }, { topic: ' ' }, { name: 'a/b' }])
      await expect(create(more)).rejects.toThrow(InvalidMeaning);
  });

  it('is one location when it is added twice', async () => {
    const { create } = web.group();
    const first = await create();
    expect(first).toMatchObject({ name: 'Riego', created: true, run: 1 });
    expect(await create({ name: 'Otro' })).toEqual({ ...first, created: false });
  });

  it('makes documents of approved pages alone', async () => {
    const { documents, code, review, refresh, groupId } = await web.researched();
    await review({ approve: [web.site.url('/riego.html')] });
    web.site.requests.length = 0;
    expect(await refresh()).toMatchObject({ status: 'COMPLETED', seen: 1, added: 1, notice: null });
    expect(web.site.requests.map(({ path }) => path)).toEqual(['/riego.html']);
    const [document, ...others] = await documents();
    expect(others).toEqual([]);
    expect(document).toMatchObject({
      ...{ url: web.site.url('/riego.html'), location: `/Riego/127.0.0.1:${web.site.port}/riego.html` },
      fs: {
        ...{ home_var: null, relative_path: `127.0.0.1:${web.site.port}/riego.html`, origin: 'WEB' },
        ...{ path: `/Riego/127.0.0.1:${web.site.port}/riego.html`, is_public_url: true, is_cloud_only: false },
      },
    });
    expect(document?.name).toMatch(/^riego-[\da-f]{8}\.html$/);
    expect(document?.status).not.toBe('ERROR');
    const events = (await web.bench.published()).map((event) => event['payload']);
    const origin = { origin: 'WEB', url: web.site.url('/riego.html'), home_var: null };
    expect(events).toContainEqual(expect.objectContaining(origin));
    expect(await web.bench.askAs(getDocument, groupId, { document_code: document?.code })).toMatchObject({
      url: document?.url,
    });
    const edges = await web.bench.askAs(getDocumentEdges, groupId, { document_code: document?.code });
    expect(edges['document']).toMatchObject({ url: document?.url, location: document?.location, fs: document?.fs });
    expect(code).toBe('L10000');
  });

  it('adds an approved address that no research found as a public document', async () => {
    const { documents, review, refresh } = await web.researched();
    web.site.pages.set('/suelto.txt', { body: 'Las tarifas del agua suben en enero.', type: 'text/plain' });
    await review({ approve: [web.site.url('/suelto.txt')] });
    await refresh();
    expect((await documents()).map(({ fs }) => fs)).toMatchObject([{ origin: 'PUBLIC', is_public_url: true }]);
  });

  it('shows the token of the group to no site without https, and stores it nowhere', async () => {
    const token = 'a-token-of-the-web';
    web.bench.webToken = { host: `127.0.0.1:${web.site.port}`, token };
    const { groupId, documents, sql } = await web.materialised();
    web.bench.webToken = { host: null, token: null };
    expect(await documents()).toHaveLength(2);
    expect(web.site.authorizations).toEqual([]);
    const tables = await sql(
      `select (select json_agg(p)::text from ingestion.web_page p) as pages, (select json_agg(d)::text from ingestion.document d) as documents,
         (select json_agg(r)::text from ingestion.run r) as runs, (select json_agg(t)::text from ingestion.task t) as tasks
       where $1::uuid is not null`,
    );
    expect(JSON.stringify([tables, groupId])).not.toContain(token);
  });

  it('costs one conditional request for an unchanged page', async () => {
    const { documents, refresh } = await web.materialised();
    const before = await documents();
    expect(await refresh()).toMatchObject({ seen: 2, added: 0, changed: 0, missing: 0 });
    expect(web.site.requests).toHaveLength(2);
    expect(web.site.requests.every(({ isConditional }) => isConditional)).toBe(true);
    expect([web.bench.cpu.runs, web.bench.source.read, await web.bench.published()]).toEqual([[], [], []]);
    expect(await documents()).toEqual(before);
  });

  it('reads a changed page again under the same code', async () => {
    const { documents, refresh } = await web.materialised();
    const before = await documents();
    web.site.pages.set('/riego.html', htmlPage('Riego', 'El riego nocturno ahorra la mitad del agua.'));
    expect(await refresh()).toMatchObject({ seen: 2, added: 0, changed: 1 });
    expect(web.bench.source.read).toHaveLength(1);
    expect((await documents()).map(({ code }) => code)).toEqual(before.map(({ code }) => code));
  });

  it('keeps a page that is gone once, and misses it the second time', async () => {
    const { documents, review, refresh } = await web.materialised();
    web.site.pages.delete('/riego.html');
    const statusOf = async (path: string): Promise<string | undefined> =>
      (await documents()).find(({ url }) => url === web.site.url(path))?.status;
    const before = await statusOf('/riego.html');
    await refresh();
    expect(await statusOf('/riego.html')).toBe(before);
    expect(await refresh()).toMatchObject({ missing: 1 });
    expect(await statusOf('/riego.html')).toBe('MISSING');
    expect((await review()).find(({ url }) => url === web.site.url('/riego.html'))?.problem).toMatch(/gone/);
    web.site.pages.set('/riego.html', SITE['/riego.html'] ?? { body: '' });
    await refresh();
    expect(await statusOf('/riego.html')).toBe(before);
  });

  it('counts the page that its site shows for absent ones as absent', async () => {
    const { documents, refresh } = await web.materialised();
    const before = await documents();
    const absent = htmlPage('Perdón', 'No encontramos esta página. Use el buscador o vuelva a la portada.');
    web.site.answers = () => absent;
    web.site.pages.set('/riego.html', absent);
    await refresh();
    expect(await documents()).toEqual(before);
    expect(await refresh()).toMatchObject({ missing: 1 });
  });

  it('misses an absent page at once where deletions are accepted', async () => {
    const { groupId, ask, code, documents } = await web.materialised();
    web.site.pages.delete('/riego.html');
    await ask(syncLocation, { location_code: code, accept_deletions: true });
    await web.bench.work(groupId);
    expect((await documents()).map(({ status }) => status).filter((status) => status === 'MISSING')).toHaveLength(1);
  });

  it('takes a rejected page out of search', async () => {
    const { documents, review, refresh } = await web.materialised();
    await review({ reject: [web.site.url('/huertos.html')] });
    await refresh();
    expect(web.site.times('/huertos.html')).toBe(0);
    expect((await documents()).find(({ url }) => url === web.site.url('/huertos.html'))?.status).toBe('MISSING');
  });

  it('keeps a page that the rules of its site forbid later, and says so', async () => {
    const { documents, refresh } = await web.materialised();
    const before = await documents();
    // Rules are remembered for an hour by each process.
    const other = await web.bench.beside();
    web.site.pages.set('/robots.txt', { body: 'User-agent: *\nDisallow: /riego', type: 'text/plain' });
    expect(await refresh(other)).toMatchObject({
      missing: 0,
      notice: expect.stringMatching(/robots/) as string,
    });
    expect([web.site.times('/riego.html'), web.site.times('/huertos.html')]).toEqual([0, 1]);
    expect(await documents()).toEqual(before);
  });

  it('refreshes its approved pages when they are due', async () => {
    const { groupId, review, sql } = await web.researched();
    // A tenth of the interval passes before the first refresh of a process: this one has run for a minute.
    const { now } = performance;
    jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) - 60_000);
    const other = await web.bench.beside(undefined, { ACERVO_WEB_REFRESH_SECONDS: '60' });
    jest.restoreAllMocks();
    const isDue = () =>
      sql(
        `update ingestion.task set not_before = now() where group_id = $1 and stage = 'rescan' and status = 'WAITING'`,
      );
    const refreshed = async (): Promise<string[]> => {
      web.site.requests.length = 0;
      const times = ['created_at', 'started_at', 'finished_at', 'awaited_at'];
      await sql(`update ingestion.run set ${times.map((at) => `${at} = ${at} - interval '2 days'`).join(', ')}
        where group_id = $1`);
      await isDue();
      await other.work(groupId);
      return web.site.requests.map(({ path }) => path).filter((path) => path !== '/robots.txt');
    };
    expect(await refreshed()).toEqual([]);
    await review({ approve: [web.site.url('/riego.html')] });
    expect(await refreshed()).toEqual(['/riego.html']);
  });

  it('has no folders to rebuild', async () => {
    const { ask, code } = await web.materialised();
    expect(await ask(rebuildHierarchy, { location_code: code })).toMatchObject({ locations: 0, documents: 0 });
  });

  it('leaves with its pages and their content when it is deleted', async () => {
    const { groupId, ask, code, documents, sql } = await web.materialised();
    await ask(deleteLocation, { location_code: code });
    await web.bench.work(groupId);
    expect(await documents()).toEqual([]);
    for (const table of ['web_page', 'web_root'])
      expect(await sql(`select from ingestion.${table} where group_id = $1`)).toEqual([]);
    expect(await web.bench.objectKeys(groupId)).toEqual([]);
  });

  it('is unknown to other groups', async () => {
    const { code } = await web.researched();
    const { ask } = web.group();
    for (const call of [researchWeb, reviewWeb, materializeWeb])
      await expect(ask(call, { location_code: code })).rejects.toThrow(NotFound);
  });

  it('is no folder', async () => {
    const { groupId, ask } = web.group();
    const path = web.bench.folder('opened/no-web', { 'a.txt': 'Uno.' });
    const { location_code } = await ask(createLocation, { path });
    await web.bench.work(groupId);
    for (const call of [researchWeb, reviewWeb, materializeWeb])
      await expect(ask(call, { location_code })).rejects.toThrow(InvalidMeaning);
  });
});
