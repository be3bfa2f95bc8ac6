import { join } from 'node:path';
import { htmlPage, WebSite } from '@acervo/platform-testing';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

type JsonObject = Record<string, unknown>;
interface Found {
  readonly code: string;
  readonly url: string;
  readonly fs: JsonObject;
}

/** How often the program is killed within a request for a page. */
interface Deaths {
  readonly research: number;
  readonly fetching: number;
}

export const REQUESTS_PER_SECOND = 20;
/** Pages that a site needs for a death: some are read before each. */
const READ_BEFORE_DEATH = 3;
/** Names of words: pages that differ in numbers alone are one page of a series. */
const [KINDS, PLACES] = [
  ['alta', 'baja', 'grande', 'honda', 'nueva', 'vieja'],
  ['molino', 'vega', 'ermita', 'puente', 'soto', 'cantera'],
];
const NAMES = PLACES.flatMap((place) => KINDS.map((kind) => `${kind}-${place}`));
const REJECTED = NAMES[0] ?? '';
const PAGES = '/acequia-';
const pathOf = (name: string): string => `${PAGES}${name}.html`;

/** A web location of a program that is killed, and started again with the same data. */
class WebWorld {
  location = '';
  private readonly place = temporary();
  private readonly names: readonly string[];
  private running: Program | undefined;
  private served: WebSite | undefined;

  constructor(deaths: Deaths) {
    const count = 6 + READ_BEFORE_DEATH * Math.max(deaths.research, deaths.fetching);
    this.names = NAMES.slice(0, count);
  }

  get site(): WebSite {
    if (this.served === undefined) throw new Error('The site is not open.');
    return this.served;
  }

  get program(): Program {
    if (this.running === undefined) throw new Error('The program has not started.');
    return this.running;
  }

  get urls(): readonly string[] {
    return this.names.map((name) => this.site.url(pathOf(name)));
  }

  /** Requests for pages of the location since its request of this number. */
  pageRequests(since = 0): WebSite['requests'] {
    return this.site.requests.filter(({ path }) => path.startsWith(PAGES)).slice(since);
  }

  /** The most requests that arrived within a second. */
  mostInASecond(): number {
    const times = this.site.requests.map(({ at }) => at);
    return Math.max(...times.map((first) => times.filter((at) => at >= first && at < first + 1_000).length));
  }

  async start(): Promise<void> {
    this.served = await WebSite.open({
      '/': htmlPage('Comarca', 'Noticias de la comarca.', [...this.names.map(pathOf), '/privado.html']),
      '/privado.html': htmlPage('Acequia privada', 'El riego de la acequia y su compuerta privada.'),
      '/robots.txt': { body: 'User-agent: *\nDisallow: /privado', type: 'text/plain' },
    });
    for (const name of this.names)
      this.site.pages.set(
        pathOf(name),
        htmlPage(`Acequia ${name}`, `El riego de la acequia ${name} pasa por su compuerta.`),
      );
    write(join(this.place.path, 'folder'), { 'lonja.txt': 'La lonja del pescado abre a las seis.' });
    await this.open();
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    await this.served?.close();
    this.place.remove();
  }

  /** Kills the program within a request for a page, so often; each time it has read some pages before. */
  async die(times: number): Promise<void> {
    for (let death = 0; death < times; death += 1) {
      const before = this.pageRequests().length;
      await until('pages are read', () => this.pageRequests().length > before + READ_BEFORE_DEATH - 2);
      await this.site.holdNext();
      this.program.kill();
      await this.program.ended;
      await this.open();
    }
  }

  async run(code: string, input: JsonObject): Promise<JsonObject> {
    const { status, body } = await this.program.ask('POST', `/v1/operations/${code}:execute`, { input, confirm: true });
    expect([code, status, status === 200 ? null : body]).toEqual([code, 200, null]);
    return body['result'] as JsonObject;
  }

  /** Pages among what a search finds: by meaning it finds the document of the folder, too. */
  async found(): Promise<readonly Found[]> {
    const { body } = await this.program.ask('POST', '/v1/documents/search', { query: 'compuerta', limit: 50 });
    return (body['documents'] as Found[]).filter(({ url }) => url.startsWith(this.site.url('/')));
  }

  async documents(): Promise<number> {
    return Number((await this.run('locations.preview_delete', { location_code: this.location }))['documents']);
  }

  async isOver(wanted: unknown): Promise<boolean> {
    // Each start runs over the folder as well.
    const { runs } = await this.run('pipeline_runs.list', { limit: 100 });
    return (runs as JsonObject[]).some((each) => each['run'] === wanted && each['status'] === 'COMPLETED');
  }

  async candidates(input: JsonObject = {}): Promise<readonly JsonObject[]> {
    const answer = await this.run('locations.review_web', { location_code: this.location, ...input });
    return answer['candidates'] as JsonObject[];
  }

  private async open(): Promise<void> {
    const environment = {
      ...this.site.environment,
      ACERVO_EGRESS_REQUESTS_PER_SECOND: String(REQUESTS_PER_SECOND),
    };
    const [folder, data] = [join(this.place.path, 'folder'), join(this.place.path, 'data')];
    const before = this.running;
    this.running = await Program.start({ folder, data, port: await freePort(), environment });
    if (before !== undefined) this.running.key = before.key;
  }
}

/** Research, review, fetching and deletion of a web location whose program dies: nothing is doubled, nothing is lost. */
export const webPagesSurvive = (deaths: Deaths): WebWorld => {
  const world = new WebWorld(deaths);
  beforeAll(() => world.start());
  afterAll(() => world.stop());
  const hangMs = (times: number): number => 180_000 + times * 90_000;

  it(
    'are found by research that is killed and goes on',
    async () => {
      const start = { name: 'Acequias', start_urls: [world.site.url('/')], topic: 'riego de acequias' };
      const { location_code, run: number } = await world.run('locations.create', start);
      world.location = String(location_code);
      await world.die(deaths.research);
      await until('the research is over', () => world.isOver(number));
      const urls = (await world.candidates({ limit: 200 })).map(({ url }) => url);
      expect(urls.toSorted()).toEqual(expect.arrayContaining(world.urls.toSorted()));
      expect(new Set(urls).size).toBe(urls.length);
      expect(world.site.times('/privado.html')).toBe(0);
      // Each death costs its request, and at most one more that was not stored.
      expect(world.pageRequests().length).toBeLessThanOrEqual(world.urls.length + 2 * deaths.research);
    },
    hangMs(deaths.research),
  );

  it(
    'are searched once they are approved, under their own addresses',
    async () => {
      const before = world.pageRequests().length;
      const rejected = world.site.url(pathOf(REJECTED));
      await world.candidates({ approve: ['*acequia-*'], reject: [rejected] });
      const { run: number } = await world.run('locations.materialize_web', { location_code: world.location });
      await world.die(deaths.fetching);
      await until('the pages are fetched', () => world.isOver(number));
      const approved = world.urls.filter((url) => url !== rejected);
      expect(await world.documents()).toBe(approved.length);
      await until(
        'the pages are searchable',
        async () => (await world.found()).length >= Math.min(50, approved.length),
      );
      const found = await world.found();
      expect(new Set(found.map(({ url }) => url)).size).toBe(found.length);
      const [first] = found;
      expect(first?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/acequia-[\w-]+\.html$/);
      const relative = first?.url.slice('http://'.length);
      expect(first?.fs).toEqual({
        ...{ home_var: null, relative_path: relative, path: `/Acequias/${relative}`, origin: 'WEB' },
        ...{ is_absolute: false, is_public_url: true, is_cloud_only: false },
      });
      const { body } = await world.program.ask('GET', `/v1/documents/${first?.code}`);
      expect(body).toMatchObject({ url: first?.url, fs: first?.fs });
      const fetched = world.pageRequests(before).map(({ path }) => path);
      expect(fetched).not.toContain(pathOf(REJECTED));
      expect(fetched.length).toBeLessThanOrEqual(approved.length + 2 * deaths.fetching);
    },
    hangMs(deaths.fetching),
  );

  it('cost one conditional request while they are unchanged', async () => {
    const before = world.pageRequests().length;
    const { run: number } = await world.run('locations.sync', { location_code: world.location });
    await until('the refresh is over', () => world.isOver(number));
    expect(world.pageRequests(before).map(({ isConditional }) => isConditional)).toEqual(
      world.urls.slice(1).map(() => true),
    );
  });

  it('leave search with their location', async () => {
    await world.run('locations.delete', { location_code: world.location });
    await until('the pages have left', async () => (await world.found()).length === 0);
  });
  return world;
};
