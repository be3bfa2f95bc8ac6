import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { readConfig } from '@acervo/platform-config';
import { MemoryRates } from '@acervo/platform-counters';
import { Egress, EgressConfig } from '../src';
import { OutgoingTurns } from '../src/outgoing-turns';
import { robotsTextFor } from '../src/robots-text';
import { HTML, openEgress, openSite, outcomeOf, RecordedNetwork, type TestSite } from './network';

const ROBOTS = `User-agent: acervo
Disallow: /closed/
Allow: /closed/open
Crawl-delay: 0.05

User-agent: *
Disallow: /

Sitemap: http://site.example/sitemap.xml
`;

class RecordedRates extends MemoryRates {
  readonly asked: { name: string; every: number }[] = [];

  override admit(...[counters]: Parameters<MemoryRates['admit']>): ReturnType<MemoryRates['admit']> {
    this.asked.push(...counters.map(({ name, rate }) => ({ name, every: 60 / rate.perMinute })));
    return super.admit(counters);
  }
}

describe('the rules of a site', () => {
  let site: TestSite;
  let robots: { status: number; text: string; headers?: Record<string, string> };

  beforeAll(async () => {
    site = await openSite((request, response) => {
      if (request.url === '/robots.txt')
        return void response
          .writeHead(robots.status, { 'content-type': 'text/plain', ...robots.headers })
          .end(robots.text);
      if (request.url === '/into') return void response.writeHead(302, { location: '/closed/page' }).end();
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>page</p>');
    });
  });
  beforeEach(() => {
    robots = { status: 200, text: ROBOTS };
    site.paths.length = 0;
  });
  afterAll(() => site.close());

  const open = (environment: Record<string, string> = {}): Egress => openEgress(environment, new RecordedNetwork(site));

  it.each([
    ['/page', '200'],
    ['/closed/open', '200'],
    ['/closed/page', 'RobotsForbid'],
    ['/into', 'RobotsForbid'],
  ])('answers %s with %s', async (path, outcome) => {
    expect(await outcomeOf(open(), `http://site.example${path}`)).toBe(outcome);
    expect(site.paths).not.toContain('/closed/page');
  });

  it.each([
    [404, '200'],
    [403, '200'],
    [429, 'SiteUnavailable'],
    [500, 'SiteUnavailable'],
  ])('takes the status %d of robots.txt as RFC 9309 does', async (status, outcome) => {
    robots = { status, text: '' };
    expect(await outcomeOf(open(), 'http://site.example/page')).toBe(outcome);
  });

  it.each([
    ['redirects for ever', 302, { location: '/robots.txt' }, '200'],
    ['redirects to a forbidden network', 302, { location: 'http://10.0.0.1/' }, '200'],
    ['redirects nowhere', 302, {}, 'SiteUnavailable'],
    ['has an unknown encoding', 200, { 'content-encoding': 'zstd' }, 'SiteUnavailable'],
  ])('does not blame the page when robots.txt %s', async (_what, status, headers, outcome) => {
    robots = { status, text: '', headers };
    expect(await outcomeOf(open(), 'http://site.example/page')).toBe(outcome);
  });

  it('asks for the rules of a site once', async () => {
    const egress = open();
    for (const path of ['/a', '/b', '/c']) await outcomeOf(egress, `http://site.example${path}`);
    expect(site.paths).toEqual(['/robots.txt', '/a', '/b', '/c']);
  });

  it('asks again after rules that could not be read', async () => {
    const egress = open();
    robots = { status: 503, text: '' };
    expect(await outcomeOf(egress, 'http://site.example/page')).toBe('SiteUnavailable');
    robots = { status: 200, text: '' };
    expect(await outcomeOf(egress, 'http://site.example/page')).toBe('200');
  });

  it('ends for an aborted caller while the rules are late', async () => {
    const asked = new EventEmitter();
    const late = await openSite(({ url }, response) =>
      url === '/robots.txt' ? void asked.emit('robots', response) : void response.writeHead(404).end(),
    );
    const egress = openEgress({}, new RecordedNetwork(late));
    const leaving = new AbortController();
    const request = { url: 'http://site.example/page', types: HTML };
    const left = egress.fetch('group-1', { ...request, signal: leaving.signal });
    const staying = egress.fetch('group-1', request);
    const [robotsTxt] = (await once(asked, 'robots')) as [ServerResponse];
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    robotsTxt.writeHead(404).end();
    expect((await staying).status).toBe(404);
    await late.close();
  });

  it('keeps to the first part of endless rules', async () => {
    robots = { status: 200, text: `User-agent: *\nDisallow: /early\n${'# filler\n'.repeat(60_000)}Disallow: /late\n` };
    expect(await outcomeOf(open(), 'http://site.example/early')).toBe('RobotsForbid');
    expect(await outcomeOf(open(), 'http://site.example/late')).toBe('200');
  });

  const lines = (line: string, characters: number): string => `${line}\n`.repeat(characters / (line.length + 1));

  it.each([
    ['Acervo', 'User-agent:acervo'],
    ['another agent', `User-agent:acervo\n${lines('User-agent:a', 230_000)}User-agent:b`],
  ])('reads rules that name %s ten thousand times', async (_whom, agent) => {
    robots = { status: 200, text: lines(agent, 250_000) + lines('Disallow:/a', 250_000) };
    expect(await outcomeOf(open(), 'http://site.example/a')).toBe('RobotsForbid');
    expect(await outcomeOf(open(), 'http://site.example/b')).toBe('200');
  });

  it('keeps few rules and sitemaps, each of them short', () => {
    const linesOf = (line: string): string[] => {
      const text = `User-agent: *\n${lines(line, 500_000)}`;
      return robotsTextFor('Acervo', text)
        .split('\n')
        .slice(line.startsWith('Sitemap') ? 0 : 1);
    };
    expect(linesOf('Disallow: /a')).toHaveLength(1_000);
    expect(linesOf(`Allow: /${'*a'.repeat(1_000)}`).join('').length).toBeLessThan(66_000);
    expect(linesOf(`Disallow: /${'a'.repeat(3_000)}`)).toEqual([]);
    expect(linesOf('Sitemap: http://site.example/a')).toHaveLength(100);
  });

  it('names the sitemaps of a site', async () => {
    expect(await open().sitemapsOf('group-1', 'http://site.example/page')).toEqual(['http://site.example/sitemap.xml']);
  });

  it('spaces requests to a host by the larger of setting and rules', async () => {
    const settings = readConfig(EgressConfig, { ACERVO_EGRESS_REQUESTS_PER_SECOND: '100' });
    const rates = new RecordedRates();
    const egress = new Egress(settings, rates, new RecordedNetwork(site));
    await egress.fetch('group-1', { url: 'http://site.example/page', types: HTML });
    const ofHost = rates.asked.filter(({ name }) => name === 'egress:host:site.example').map(({ every }) => every);
    expect(ofHost[0]).toBeCloseTo(0.01);
    expect(ofHost.at(-1)).toBeCloseTo(0.05);
  });

  it('lets requests of all groups to a host take turns', async () => {
    let seconds = 0;
    const rates = new MemoryRates(() => seconds);
    const settings = readConfig(EgressConfig, { ACERVO_EGRESS_REQUESTS_PER_SECOND: '100' });
    const egress = new Egress(settings, rates, new RecordedNetwork(site));
    robots = { status: 404, text: '' };
    const fetched = Promise.all(
      ['group-1', 'group-2'].map((group) => egress.fetch(group, { url: 'http://site.example/page', types: HTML })),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(site.paths).toEqual(['/robots.txt']);
    const clock = setInterval(() => (seconds += 0.01), 1);
    await fetched;
    clearInterval(clock);
    expect(site.paths).toHaveLength(4);
    expect(seconds).toBeGreaterThan(0.025);
  });

  it('refuses a group that used up its hour and no other one', async () => {
    const egress = open({ ACERVO_EGRESS_GROUP_PER_HOUR: '2' });
    expect(await outcomeOf(egress, 'http://site.example/page')).toBe('200');
    await expect(egress.fetch('group-1', { url: 'http://site.example/page', types: HTML })).rejects.toMatchObject({
      ...{ code: 'EGRESS_BUSY', counted: 'GROUP', isTransient: true },
    });
    expect((await egress.fetch('group-2', { url: 'http://site.example/page', types: HTML })).status).toBe(200);
  });

  it('gives no turn of a host to refused or aborted requests', async () => {
    const rates = new RecordedRates();
    const turns = new OutgoingTurns(rates, { requestsPerSecond: 100, groupPerHour: 1 });
    await turns.take('group-1', 'site.example', 0);
    await expect(turns.take('group-1', 'site.example', 0)).rejects.toMatchObject({ counted: 'GROUP' });
    const aborted = turns.take('group-2', 'site.example', 0, AbortSignal.abort(new Error('gone')));
    await expect(aborted).rejects.toThrow('gone');
    expect(rates.asked.filter(({ name }) => name === 'egress:host:site.example')).toHaveLength(1);
  });
});

describe('the setting for loopback', () => {
  it.each([undefined, 'production', 'development'])('is refused where NODE_ENV is %s', (mode) => {
    const environment = { NODE_ENV: mode, ACERVO_EGRESS_LOOPBACK: 'true' };
    expect(() => readConfig(EgressConfig, environment)).toThrow('ACERVO_EGRESS_LOOPBACK is for tests alone');
    expect(readConfig(EgressConfig, { NODE_ENV: mode }).egressLoopback).toBe(false);
  });
});
