import { cancelIngestionRun, Forbidden, researchWeb, reviewWeb, Unavailable } from '@acervo/contracts';
import { Egress, EgressBusy } from '@acervo/platform-egress';
import { Failpoints } from '@acervo/platform-messaging';
import { htmlPage } from '@acervo/platform-testing';
import { type ListedCandidate, WebLocations } from './web-locations';

describe('research of a web location', () => {
  let web: WebLocations;
  beforeAll(async () => {
    web = await WebLocations.open();
  });
  beforeEach(() => web.reset());
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => web.close());

  const dieAtPage = async (groupId: string, number: number): Promise<void> => {
    let passed = 0;
    jest.spyOn(Failpoints.none, 'hit').mockImplementation((name) => {
      if (name === 'web.page' && (passed += 1) === number)
        throw Object.assign(new Error('killed'), { code: 'ECONNRESET' });
    });
    await web.bench.workStage(groupId, 'web').catch(() => undefined);
    jest.restoreAllMocks();
  };

  /** The first request for a path comes too fast. */
  const letWaitOnce = (path: string): void => {
    const egress = web.bench.instance(Egress);
    const fetch = egress.fetch.bind(egress);
    let asked = 0;
    jest.spyOn(egress, 'fetch').mockImplementation((group, request) => {
      if (request.url === web.site.url(path) && (asked += 1) === 1) return Promise.reject(new EgressBusy('HOST', 1));
      return fetch(group, request);
    });
  };

  it('lists pages about the topic with their reasons', async () => {
    const { ask, code, review } = await web.researched();
    const [first, second] = await review();
    expect([first?.url, second?.url].toSorted()).toEqual([web.site.url('/huertos.html'), web.site.url('/riego.html')]);
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
      { url: web.site.url('/huertos.html'), relevance: 1, why },
      { url: web.site.url('/riego.html'), relevance: 0.1, why: 'Vea [más](http://evil.example).' },
      { url: 'http://evil.example/', relevance: 1, why: 'Otra.' },
    ];
    web.chat.scripts.push({ kind: 'text', parts: [JSON.stringify({ pages })] });
    const { review } = await web.researched();
    const [first, second, ...others] = await review();
    expect(others.map(({ url }) => url)).not.toContain('http://evil.example/');
    expect(first).toMatchObject({ url: web.site.url('/huertos.html'), why });
    expect(second).toMatchObject({
      url: web.site.url('/riego.html'),
      why: expect.stringMatching(/words of the topic/) as string,
    });
    expect(first?.score).toBeGreaterThan(second?.score ?? 1);
    const [asked] = web.chat.received;
    const [system, user] = asked?.body.messages ?? [];
    expect(system?.content).toContain('páginas de la web');
    expect(user?.content).toMatch(new RegExp(`<data (\\w+) label="page 1">\nurl: ${web.site.url('/')}[^]+</data \\1>`));
    expect(JSON.stringify(asked?.body.response_format)).toContain(
      JSON.stringify([web.site.url('/riego.html')]).slice(1, -1),
    );
  });

  it.each(['a group without tokens', 'an answer of another form', 'a refusal of auth'])(
    'keeps its own order and reasons with %s',
    async (of) => {
      web.bench.hasTokens = of !== 'a group without tokens';
      web.bench.refusal = of === 'a refusal of auth' ? new Forbidden() : undefined;
      const { review } = await web.researched();
      web.bench.hasTokens = true;
      web.bench.refusal = undefined;
      expect(web.chat.received).toHaveLength(of === 'an answer of another form' ? 1 : 0);
      for (const { why } of await review()) expect(why).toMatch(/words of the topic/);
    },
  );

  it('is ranked by the prompt of the group once its entity is deleted', async () => {
    const why = 'Explica los turnos de riego con agua reciclada.';
    const pages = [{ url: web.site.url('/huertos.html'), relevance: 1, why }];
    web.chat.scripts.push({ kind: 'text', parts: [JSON.stringify({ pages })] });
    web.bench.deletedEntity = 'E1';
    const { review } = await web.researched();
    web.bench.deletedEntity = undefined;
    expect((await review())[0]).toMatchObject({ url: web.site.url('/huertos.html'), why });
  });

  it('keeps decisions over further research', async () => {
    const { groupId, ask, code, review } = await web.researched();
    await review({ approve: ['*riego*'], reject: ['*huertos*'] });
    await ask(researchWeb, { location_code: code });
    await web.bench.work(groupId);
    const decided = new Map((await review()).map(({ url, decision }) => [url, decision]));
    expect(decided.get(web.site.url('/riego.html'))).toBe('APPROVED');
    expect(decided.get(web.site.url('/huertos.html'))).toBe('REJECTED');
    expect((await review({ decision: 'APPROVED' })).map(({ url }) => url)).toEqual([web.site.url('/riego.html')]);
  });

  it('stores what each page of research changed', async () => {
    const { groupId, ask, create, sql } = web.group();
    const { location_code, run } = await create();
    await dieAtPage(groupId, 3);
    const [beginning] = await sql(`select research from ingestion.web_root where group_id = $1`);
    expect(beginning?.['research']).toMatchObject({ requested: 0, pages: [] });
    const steps = `select step, change->>'url' as url from ingestion.web_research_step where group_id = $1 order by step`;
    expect((await sql(steps)).map(({ step }) => step)).toEqual([1, 2, 3]);
    await ask(cancelIngestionRun, { run });
    await web.bench.work(groupId);
    await ask(researchWeb, { location_code });
    await web.bench.work(groupId);
    expect(await sql(steps)).toEqual([]);
  });

  it('waits without a counted try while auth is away', async () => {
    const { groupId, create, runs, sql } = web.group();
    await create();
    web.bench.refusal = new Unavailable('Auth is away.');
    await web.bench.workStage(groupId, 'web');
    web.bench.refusal = undefined;
    const task = `select status, attempts from ingestion.task where group_id = $1 and stage = 'web'`;
    expect(await sql(task)).toEqual([{ status: 'WAITING', attempts: 0 }]);
    await web.bench.exhaust(groupId);
    expect(await runs()).toMatchObject([{ status: 'COMPLETED' }]);
  });

  it('reads each sitemap once although one has to wait', async () => {
    const { bench, site } = web;
    for (const name of ['uno', 'dos']) {
      const body = `<urlset><url><loc>${site.url(`/${name}.html`)}</loc></url></urlset>`;
      site.pages.set(`/${name}.xml`, { body, type: 'application/xml' });
      site.pages.set(`/${name}.html`, htmlPage(name, `El riego de los huertos, parte ${name}.`));
    }
    const rules = ['uno', 'dos'].map((name) => `Sitemap: ${site.url(`/${name}.xml`)}`).join('\n');
    site.pages.set('/robots.txt', { body: rules, type: 'text/plain' });
    letWaitOnce('/dos.xml');
    const { groupId, ask, create } = web.group();
    const { location_code } = await create();
    await bench.workStage(groupId, 'web');
    expect([site.times('/uno.xml'), site.times('/dos.xml'), site.times('/')]).toEqual([1, 0, 0]);
    await bench.exhaust(groupId);
    expect(['/uno.xml', '/dos.xml', '/sitemap.xml'].map((path) => site.times(path))).toEqual([1, 1, 1]);
    const { candidates } = (await ask(reviewWeb, { location_code })) as { candidates: ListedCandidate[] };
    const found = candidates.map(({ url }) => url);
    expect(found).toEqual(expect.arrayContaining([site.url('/uno.html'), site.url('/dos.html')]));
  });

  it('goes on with research that a release before stored whole', async () => {
    const { groupId, ask, create, sql } = web.group();
    const { location_code } = await create();
    const page = { title: 'Riego', language: 'es', excerpt: 'Riego', depth: 1 };
    const relevance = { counts: { rieg: 2 }, similarity: 0.5, profile: { rieg: 2, agu: 1 } };
    const research = {
      frontier: {
        waiting: [{ url: web.site.url('/huertos.html'), depth: 1, promise: 1 }],
        seen: [web.site.url('/')],
        barren: {},
      },
      ...{ pages: [{ ...page, url: web.site.url('/riego.html'), relevance }], texts: [], lost: {}, requested: 2 },
    };
    await sql(`update ingestion.web_root set research = $2::jsonb where group_id = $1`, JSON.stringify(research));
    web.site.requests.length = 0;
    await web.bench.work(groupId);
    expect(web.site.times('/')).toBe(0);
    const { candidates } = (await ask(reviewWeb, { location_code })) as { candidates: ListedCandidate[] };
    expect(candidates.map(({ url }) => url).toSorted()).toEqual([
      web.site.url('/huertos.html'),
      web.site.url('/riego.html'),
    ]);
  });

  it('goes on with cancelled research where it stopped', async () => {
    const { groupId, ask, create, runs } = web.group();
    const { location_code, run } = await create();
    await dieAtPage(groupId, 2);
    await ask(cancelIngestionRun, { run });
    await web.bench.work(groupId);
    expect(await runs()).toMatchObject([{ status: 'CANCELLED' }]);
    expect(await ask(researchWeb, { location_code })).toEqual({ run: 2 });
    expect(await ask(researchWeb, { location_code })).toEqual({ run: 2 });
    await web.bench.work(groupId);
    expect(['/', '/riego.html', '/huertos.html', '/museo.html'].map((path) => web.site.times(path))).toEqual([
      1, 1, 1, 1,
    ]);
    expect((await ask(reviewWeb, { location_code }))['undecided']).toBe(3);
  });
});
