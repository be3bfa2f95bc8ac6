import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultLanguages } from '@acervo/analysis';
import { HashingEmbedder } from '@acervo/models';
import { readConfig } from '@acervo/platform-config';
import { MemoryRates } from '@acervo/platform-counters';
import { type Connect, Egress, EgressConfig } from '@acervo/platform-egress';
import { connect } from 'node:net';
import type { ResearchState, ResearchStep } from './research-state';
import { SiteResearch } from './site-research';
import { Topic } from './topic';

const TOPIC = 'irrigation of orchards with recycled water';
const RELEVANT = [
  'Drip irrigation saves water in orchards of almonds and olives.',
  'Recycled water for irrigation is filtered before it reaches the orchards.',
  'The orchards of the valley share the irrigation canal by turns.',
  'Sensors in orchards measure when irrigation is needed.',
];
const OTHERS = [
  'The museum shows ceramics of the last century in four rooms.',
  'Trains to the coast leave every hour from the central station.',
  'The choir rehearses on Tuesdays and sings at weddings.',
  'La biblioteca presta libros durante tres semanas a sus socios.',
];

/** Pages in a chain of links; each also links traps: a calendar, a page under a second address, closed and absent ones. */
const pageOf = (index: number): string => {
  const texts = [...OTHERS.slice(0, 2), ...RELEVANT, ...OTHERS.slice(2)];
  const next = [index * 2 + 1, index * 2 + 2].filter((each) => each < texts.length);
  const links = [
    ...next.map((each) => `/page/${each}?sid=${each}${index}`),
    `/print/${index}`,
    '/calendar?m=1',
    '/closed/1',
    '/gone/1',
  ];
  return `<title>Page ${index}</title><p>${texts[index] ?? ''}</p>${links.map((link) => `<a href="${link}">more</a>`).join('')}`;
};

describe('research of a site', () => {
  let server: Server;
  const asked: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://site.example');
      asked.push(pathname);
      const html = (body: string): void => void response.writeHead(200, { 'content-type': 'text/html' }).end(body);
      const [, kind, number = '0'] = pathname.split('/');
      if (kind === 'robots.txt')
        return void response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /closed/');
      if (kind === 'sitemap.xml')
        return void response
          .writeHead(200, { 'content-type': 'application/xml' })
          .end(
            '<urlset><url><loc>http://site.example/page/5</loc></url><url><loc>http://else.example/</loc></url></urlset>',
          );
      if (kind === 'calendar') {
        const month = Number(searchParams.get('m'));
        return html(`<title>Month ${month}</title><p>Events of month ${month}</p><a href="?m=${month + 1}">next</a>`);
      }
      if (kind === 'page' || kind === 'print') return html(pageOf(Number(number)));
      html('<p>We are sorry, this page is not here any longer. Try the search.</p>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    asked.length = 0;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const toServer: Connect = (_options, callback) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.once('connect', () => callback(null, socket)).once('error', (error) => callback(error, null));
  };

  const open = async (state?: ResearchState, environment: Record<string, string> = {}): Promise<SiteResearch> => {
    const egress = new Egress(
      readConfig(EgressConfig, { ACERVO_EGRESS_REQUESTS_PER_SECOND: '100', ...environment }),
      new MemoryRates(),
      { resolve: () => Promise.resolve(['93.184.215.14']), connect: toServer },
    );
    const topic = await Topic.of(TOPIC, new HashingEmbedder(), defaultLanguages);
    const question = {
      group: 'group-1',
      startUrls: ['http://site.example/page/0'],
      topic,
      languages: defaultLanguages,
    };
    return new SiteResearch(egress, question, state);
  };
  const finish = async (research: SiteResearch): Promise<void> => {
    while ((await research.step()) !== null);
  };
  const numbers = (research: SiteResearch): string[] =>
    research
      .candidates()
      .map(({ title }) => title)
      .slice(0, RELEVANT.length)
      .toSorted();

  it('puts the pages of the topic first, each once', async () => {
    const research = await open();
    await research.begin();
    await finish(research);
    expect(numbers(research)).toEqual(['Page 2', 'Page 3', 'Page 4', 'Page 5']);
    const titles = research.candidates().map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('ends in a calendar and stays within rules and domain', async () => {
    const research = await open();
    await research.begin();
    await finish(research);
    expect(asked.filter((path) => path === '/calendar').length).toBeLessThanOrEqual(25);
    expect(asked.filter((path) => path.startsWith('/closed'))).toEqual([]);
    expect(research.state.frontier.seen.filter((url) => !url.startsWith('http://site.example/'))).toEqual([]);
  });

  it('proposes no page that the site shows for absent ones', async () => {
    const research = await open();
    await research.begin();
    await finish(research);
    expect(asked).toContain('/gone/1');
    expect(research.state.pages.filter(({ url }) => url.includes('/gone/'))).toEqual([]);
  });

  it('says which terms and which sentence speak for a page', async () => {
    const research = await open();
    await research.begin();
    await finish(research);
    const [best] = research.candidates();
    expect(best?.terms).toEqual(expect.arrayContaining(['irrig', 'orchard']));
    expect(RELEVANT).toContain(best?.excerpt.replace(/ more.*$/, ''));
  });

  it('continues from its stored state and asks no page twice', async () => {
    const first = await open();
    await first.begin();
    for (let steps = 0; steps < 5; steps += 1) await first.step();
    const stored = JSON.parse(JSON.stringify(first.state)) as ResearchState;
    const second = await open(stored);
    await finish(second);
    expect(numbers(second)).toEqual(['Page 2', 'Page 3', 'Page 4', 'Page 5']);
    const pages = asked.filter((path) => path.startsWith('/page/'));
    expect(new Set(pages).size).toBe(pages.length);
  });

  it('leads from its beginning over stored steps to the same state', async () => {
    const first = await open();
    await first.begin();
    const beginning = JSON.parse(JSON.stringify(first.state)) as ResearchState;
    const steps: ResearchStep[] = [];
    for (let step = await first.step(); step !== null; step = await first.step()) steps.push(step);
    const second = await open(beginning);
    for (const step of JSON.parse(JSON.stringify(steps)) as ResearchStep[]) second.apply(step);
    expect(second.state).toEqual(first.state);
    expect(second.candidates()).toEqual(first.candidates());
    expect(await second.step()).toBeNull();
  });

  it('keeps a page in the queue when the group has used up its hour', async () => {
    const research = await open(undefined, { ACERVO_EGRESS_GROUP_PER_HOUR: '3' });
    await research.begin();
    await expect(finish(research)).rejects.toMatchObject({ code: 'EGRESS_BUSY' });
    expect(research.state.frontier.waiting.length).toBeGreaterThan(0);
  });
});
