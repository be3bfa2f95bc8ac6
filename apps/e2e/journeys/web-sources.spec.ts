import { join } from 'node:path';
import { htmlPage, WebSite } from '@acervo/platform-testing';
import { freePort, Program, temporary } from '../harness/program';
import { until } from '../harness/waiting';

type JsonObject = Record<string, unknown>;
interface Found {
  readonly code: string;
  readonly url: string;
  readonly fs: JsonObject;
}

const NAMES = ['alta', 'baja', 'grande', 'honda', 'nueva', 'vieja'];
const pathOf = (name: string): string => `/acequia-${name}.html`;

describe('pages of the web as documents', () => {
  const place = temporary();
  const data = join(place.path, 'data');
  let site: WebSite;
  let program: Program;
  let location = '';

  const run = async (code: string, input: JsonObject): Promise<JsonObject> => {
    const { status, body } = await program.ask('POST', `/v1/operations/${code}:execute`, { input, confirm: true });
    expect([code, status, status === 200 ? null : body]).toEqual([code, 200, null]);
    return body['result'] as JsonObject;
  };
  /** Pages among what a search finds: by meaning it finds documents of the sample, too. */
  const found = async (): Promise<readonly Found[]> => {
    const { body } = await program.ask('POST', '/v1/documents/search', { query: 'compuerta' });
    return (body['documents'] as Found[]).filter(({ url }) => url.startsWith(site.url('/')));
  };
  const isOver = async (wanted: unknown): Promise<boolean> => {
    const { runs } = await run('pipeline_runs.list', {});
    return (runs as JsonObject[]).some((each) => each['run'] === wanted && each['status'] === 'COMPLETED');
  };
  const candidates = async (input: JsonObject = {}): Promise<readonly JsonObject[]> =>
    (await run('locations.review_web', { location_code: location, ...input }))['candidates'] as JsonObject[];
  const open = async (): Promise<void> => {
    const { key } = program;
    program = await Program.start({ folder: null, data, port: await freePort(), environment: site.environment });
    program.key = key;
  };

  beforeAll(async () => {
    site = await WebSite.open({
      '/': htmlPage('Comarca', 'Noticias de la comarca.', [...NAMES.map(pathOf), '/privado.html']),
      '/privado.html': htmlPage('Acequia privada', 'El riego de la acequia y su compuerta privada.'),
      '/robots.txt': { body: 'User-agent: *\nDisallow: /privado', type: 'text/plain' },
    });
    for (const name of NAMES)
      site.pages.set(
        pathOf(name),
        htmlPage(`Acequia ${name}`, `El riego de la acequia ${name} pasa por su compuerta.`),
      );
    const environment = { ...site.environment, ACERVO_EGRESS_REQUESTS_PER_SECOND: '20' };
    program = await Program.start({ folder: null, data, port: await freePort(), environment });
  });
  afterAll(async () => {
    await program.stop();
    await site.close();
    place.remove();
  });

  it('are found by research that is killed and goes on', async () => {
    const start = { name: 'Acequias', start_urls: [site.url('/')], topic: 'riego de acequias' };
    const { location_code, run: number } = await run('locations.create', start);
    location = String(location_code);
    await until('the research has begun', () => site.requests.length > 3);
    program.kill();
    await program.ended;
    await open();
    await until('the research is over', () => isOver(number));
    const urls = (await candidates()).map(({ url }) => url);
    expect(urls).toEqual(expect.arrayContaining(NAMES.map((name) => site.url(pathOf(name)))));
    expect(site.times('/privado.html')).toBe(0);
  });

  it('are searched once they are approved, under their own addresses', async () => {
    await candidates({ approve: ['*acequia-*'], reject: [site.url(pathOf('vieja'))] });
    await run('locations.materialize_web', { location_code: location });
    await until('the pages are searchable', async () => (await found()).length === NAMES.length - 1);
    const [first] = await found();
    expect(first?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/acequia-\w+\.html$/);
    const relative = first?.url.slice('http://'.length);
    expect(first?.fs).toEqual({
      ...{ home_var: null, relative_path: relative, path: `/Acequias/${relative}`, origin: 'WEB' },
      ...{ is_absolute: false, is_public_url: true, is_cloud_only: false },
    });
    const { body } = await program.ask('GET', `/v1/documents/${first?.code}`);
    expect(body).toMatchObject({ url: first?.url, fs: first?.fs });
    expect(site.times(pathOf('vieja'))).toBe(1);
  });

  it('cost one conditional request while they are unchanged', async () => {
    site.requests.length = 0;
    const { run: number } = await run('locations.sync', { location_code: location });
    await until('the refresh is over', () => isOver(number));
    const pages = site.requests.filter(({ path }) => path !== '/robots.txt');
    expect(pages.map(({ isConditional }) => isConditional)).toEqual(Array(NAMES.length - 1).fill(true));
  });

  it('leave search with their location', async () => {
    expect(await run('locations.preview_delete', { location_code: location })).toMatchObject({
      documents: NAMES.length - 1,
    });
    await run('locations.delete', { location_code: location });
    await until('the pages have left', async () => (await found()).length === 0);
  });
});
