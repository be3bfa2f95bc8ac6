import type { RequestListener } from 'node:http';
import { isPublicAddress } from '../src/public-address';
import { FORBIDDEN_ADDRESSES, forbiddenForms } from './forms';
import { openEgress, openSite, outcomeOf, PUBLIC_ADDRESS, RecordedNetwork, type TestSite } from './network';

/** Redirects `/to?ADDRESS` to the address, and serves a page everywhere else. */
const redirector: RequestListener = (request, response) => {
  const [path, to] = (request.url ?? '').split('?', 2);
  if (path === '/to') return void response.writeHead(302, { location: decodeURIComponent(to ?? '') }).end();
  response.writeHead(200, { 'content-type': 'text/html' }).end('<p>page</p>');
};

/** Addresses tried side by side: each has the time of a fetch, which hundreds at once would share. */
const AT_ONCE = 25;

/** Forms that a header cannot carry. */
const isHeaderText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

describe('addresses that users give', () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await openSite(redirector);
  });
  afterAll(() => site.close());

  /** What did not end in the refusal of its address. */
  const unrefused = async (forms: readonly string[], network: RecordedNetwork): Promise<Record<string, string>> => {
    const egress = openEgress({ ACERVO_EGRESS_PORTS: String(site.port) }, network);
    const outcomes: (readonly [string, string])[] = [];
    for (let at = 0; at < forms.length; at += AT_ONCE) {
      const some = forms.slice(at, at + AT_ONCE);
      outcomes.push(...(await Promise.all(some.map(async (form) => [form, await outcomeOf(egress, form)] as const))));
    }
    return Object.fromEntries(outcomes.filter(([, outcome]) => outcome !== 'AddressRefused'));
  };

  /** A network whose names are all refused. */
  const refusing = async (names: ConstructorParameters<typeof RecordedNetwork>[1]): Promise<RecordedNetwork> => {
    const network = new RecordedNetwork(site, names);
    const urls = Object.keys(names ?? {}).map((name) => `http://${name}/`);
    expect(urls.length).toBeGreaterThan(0);
    expect(await unrefused(urls, network)).toEqual({});
    return network;
  };

  it('connects to no forbidden address, in whatever form it is given', async () => {
    const forms = forbiddenForms(site.port);
    const network = new RecordedNetwork(site);
    const before = site.accepted();
    expect(new Set(forms).size).toBeGreaterThanOrEqual(200);
    expect(await unrefused(forms, network)).toEqual({});
    expect(network.addresses).toEqual([]);
    expect(site.accepted()).toBe(before);
  });

  it('connects to no name that resolves to a forbidden address', async () => {
    const names = Object.fromEntries(FORBIDDEN_ADDRESSES.map((address, index) => [`n${index}.example`, [[address]]]));
    const network = await refusing(names);
    expect(network.addresses).toEqual([]);
  });

  it('connects to no name that has a forbidden address among others', async () => {
    const names = Object.fromEntries(
      FORBIDDEN_ADDRESSES.flatMap((address, index) => [
        [`first${index}.example`, [[address, PUBLIC_ADDRESS]]],
        [`last${index}.example`, [[PUBLIC_ADDRESS, address]]],
      ]),
    );
    const network = await refusing(names);
    expect(network.addresses).toEqual([]);
  });

  it('checks a name again whose addresses change between requests', async () => {
    const names = Object.fromEntries(
      FORBIDDEN_ADDRESSES.map((address, index) => [`n${index}.example`, [[PUBLIC_ADDRESS], [address]]]),
    );
    const network = await refusing(names);
    expect(network.addresses).toHaveLength(FORBIDDEN_ADDRESSES.length);
    expect(new Set(network.addresses)).toEqual(new Set([PUBLIC_ADDRESS]));
  });

  it('follows no redirect to a forbidden address', async () => {
    // Relative and cut addresses complete themselves from the page that redirects.
    const targets = forbiddenForms(site.port).filter((form) => isHeaderText(form) && /^[a-z]+:\/\/[^/?#]/i.test(form));
    const network = new RecordedNetwork(site);
    const pages = targets.map((target, index) => `http://s${index}.example/to?${encodeURIComponent(target)}`);
    const fitting = pages.filter((page) => page.length <= 2_048);
    expect(fitting.length).toBeGreaterThanOrEqual(200);
    const outcomes = await unrefused(fitting, network);
    expect(Object.entries(outcomes).filter(([, outcome]) => outcome !== 'AnswerRefused')).toEqual([]);
    expect(new Set(network.addresses)).toEqual(new Set([PUBLIC_ADDRESS]));
  });

  it('refuses an address by its form before anything is asked', () => {
    const network = new RecordedNetwork(site);
    const egress = openEgress({ ACERVO_EGRESS_PORTS: String(site.port) }, network);
    for (const form of forbiddenForms(site.port)) expect(() => egress.assertAddress(form)).toThrow('is not fetched');
    expect(() => egress.assertAddress('https://site.example/page')).not.toThrow();
    expect(network.asked).toEqual([]);
  });

  it('resolves a host once for each request that it sends', async () => {
    const network = new RecordedNetwork(site);
    expect(await outcomeOf(openEgress({}, network), 'http://site.example/page')).toBe('200');
    expect(network.asked).toEqual(['site.example', 'site.example']);
    expect(network.addresses).toEqual([PUBLIC_ADDRESS, PUBLIC_ADDRESS]);
  });

  it('hears the connection of an allowed form, on loopback too', async () => {
    const network = new RecordedNetwork(site);
    const before = site.accepted();
    const egress = openEgress({ ACERVO_EGRESS_PORTS: String(site.port), ACERVO_EGRESS_LOOPBACK: 'true' }, network);
    expect(await outcomeOf(egress, `http://127.0.0.1:${site.port}/page`)).toBe('200');
    expect(await outcomeOf(egress, `http://[::1]:${site.port}/page`)).toBe('200');
    expect(site.accepted()).toBe(before + 4);
  });

  it('lets the setting for loopback open no other network', async () => {
    const network = new RecordedNetwork(site);
    const egress = openEgress({ ACERVO_EGRESS_LOOPBACK: 'true' }, network);
    const others = FORBIDDEN_ADDRESSES.filter((address) => !/^127\.|^::1$/.test(address));
    const outcomes = await Promise.all(
      others.map((address) => outcomeOf(egress, `http://${address.includes(':') ? `[${address}]` : address}/`)),
    );
    expect(new Set(outcomes)).toEqual(new Set(['AddressRefused']));
    expect(network.addresses).toEqual([]);
  });

  it.each(['8.8.8.8', '1.1.1.1', '93.184.215.14', '2606:4700::1111', '2a00:1450:4003::200e'])(
    'takes %s for an address of the internet',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});
