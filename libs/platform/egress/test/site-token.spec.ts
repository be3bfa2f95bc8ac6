import { createServer, type Server } from 'node:https';
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { generate } from 'selfsigned';
import { buildConnector } from 'undici';
import { SiteToken } from '../src';
import { HTML, openEgress, PUBLIC_ADDRESS } from './network';

const SECRET = 'a-secret-of-the-site';
const NAME_TYPE = 2;
const NAMES = ['site.example', 'other.example'];

interface Heard {
  readonly address: string;
  readonly authorization: string | undefined;
}

describe('the token of a site', () => {
  let secure: Server;
  let insecure: HttpServer;
  let authority: string;
  const heard: Heard[] = [];
  /** Where paths redirect to. */
  const redirects = new Map<string, string>();

  beforeAll(async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'site.example' }], {
      ...{ keyType: 'ec', algorithm: 'sha256' },
      extensions: [{ name: 'subjectAltName', altNames: NAMES.map((value) => ({ type: NAME_TYPE, value })) }],
    });
    authority = cert;
    const listener =
      (scheme: string): RequestListener =>
      ({ url = '', headers }, response) => {
        if (url === '/robots.txt') return void response.writeHead(404).end();
        heard.push({ address: `${scheme}://${headers.host ?? ''}${url}`, authorization: headers.authorization });
        const location = redirects.get(`${scheme}://${headers.host ?? ''}${url}`);
        if (location !== undefined) return void response.writeHead(302, { location }).end();
        response.writeHead(200, { 'content-type': url === '/image' ? 'image/png' : 'text/html' }).end('<p>page</p>');
      };
    secure = createServer({ key, cert }, listener('https'));
    insecure = createHttpServer(listener('http'));
    for (const server of [secure, insecure])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  });
  beforeEach(() => {
    heard.length = 0;
    redirects.clear();
  });
  afterAll(async () => {
    for (const server of [secure, insecure]) await new Promise((resolve) => server.close(resolve));
  });

  const token = (): SiteToken => {
    const made = SiteToken.of('site.example', SECRET);
    if (made === null) throw new Error('The token is usable.');
    return made;
  };
  const fetch = (url: string) => {
    const open = buildConnector({ ca: authority });
    const egress = openEgress(
      {},
      {
        resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
        connect: (options, callback) => {
          const server = options.protocol === 'https:' ? secure : insecure;
          open({ ...options, hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) }, callback);
        },
      },
    );
    return egress.fetch('group-1', { url, types: HTML, token: token() });
  };
  const shown = (): string[] =>
    heard.map(({ address, authorization }) => `${address} ${authorization === undefined ? 'without' : 'with'}`);

  it('goes to its own host over https', async () => {
    await fetch('https://site.example/a');
    expect(heard).toEqual([{ address: 'https://site.example/a', authorization: `Bearer ${SECRET}` }]);
  });

  it.each(['http://site.example/a', 'https://other.example/a', 'https://sub.site.example/a'])(
    'does not go to %s',
    async (url) => {
      await fetch(url).catch(() => undefined);
      expect(heard.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    },
  );

  it('follows a redirect within its host', async () => {
    redirects.set('https://site.example/a', '/b');
    await fetch('https://site.example/a');
    expect(shown()).toEqual(['https://site.example/a with', 'https://site.example/b with']);
  });

  it.each(['https://other.example/b', 'http://site.example/b'])('is dropped by a redirect to %s', async (elsewhere) => {
    redirects.set('https://site.example/a', elsewhere);
    await fetch('https://site.example/a');
    expect(shown()).toEqual(['https://site.example/a with', `${elsewhere} without`]);
  });

  it('stays away when a chain of redirects comes back', async () => {
    redirects
      .set('https://site.example/a', 'https://other.example/b')
      .set('https://other.example/b', 'https://site.example/c');
    await fetch('https://site.example/a');
    expect(shown().at(-1)).toBe('https://site.example/c without');
  });

  it('appears in no failure and in no form of itself', async () => {
    const failure: unknown = await fetch('https://site.example/image').catch((error: unknown) => error);
    expect(heard.at(-1)?.authorization).toContain(SECRET);
    expect(failure).toBeInstanceOf(Error);
    for (const each of [failure, token()])
      for (const form of [inspect(each, { depth: 9, showHidden: true }), JSON.stringify(each), String(each)])
        expect(form).not.toContain(SECRET);
  });

  it.each([
    ['a host with a path', 'site.example/a', SECRET],
    ['no host', ' ', SECRET],
    ['a value of two lines', 'site.example', 'one\r\nx-other: two'],
  ])('is none with %s', (_, host, value) => {
    expect(SiteToken.of(host, value)).toBeNull();
  });
});
