import { EgressBusy, type PageRequest } from '@acervo/platform-egress';
import { LostPages } from './lost-pages';

const HOME = 'Noticias de la comarca y sus vecinos.';

/** A site that answers each request with this text, at the address to which it redirects. */
const siteOf = (text: string, redirected: (url: string) => string = (url) => url) => {
  const requests: PageRequest[] = [];
  const client = {
    fetch: (_group: string, request: PageRequest) => {
      requests.push(request);
      request.signal?.throwIfAborted();
      const url = redirected(request.url);
      return Promise.resolve({
        ...{ status: 200, url, redirects: url === request.url ? 0 : 1, body: Buffer.from(`<p>${text}</p>`) },
        ...{ mediaType: 'text/html', contentType: 'text/html', validators: { etag: null, lastModified: null } },
      });
    },
  };
  return { client, requests };
};

const isLost = async (redirected?: (url: string) => string): Promise<boolean> => {
  const { client } = siteOf(HOME, redirected);
  const lost = new LostPages(client, { group: 'group-1' });
  const url = 'https://site.example/';
  return lost.isLost(url, HOME, await lost.learn(url));
};

describe('pages that a site shows for absent ones', () => {
  it('a text shown in place of an absent page is recognised', async () => {
    expect(await isLost()).toBe(true);
  });

  it.each([
    ['https', (url: string) => url.replace('http:', 'https:')],
    ['another host', (url: string) => url.replace('site.', 'www.site.')],
    ['a folder of a language', (url: string) => url.replace('.example/', '.example/es/')],
  ])('a text behind a redirect to %s is recognised', async (_to, redirected) => {
    expect(await isLost(redirected)).toBe(true);
  });

  it.each(['https://site.example/', 'https://site.example/enter?next=/'])(
    'a redirect of absent pages to %s leaves it a live page',
    async (home) => {
      expect(await isLost(() => home)).toBe(false);
    },
  );

  it('a stopping process ends the request and remembers nothing of it', async () => {
    const { client, requests } = siteOf(HOME);
    const stopping = AbortSignal.abort(new Error('stopped'));
    const lost = new LostPages(client, { group: 'group-1', signal: stopping });
    await expect(lost.learn('https://site.example/')).rejects.toThrow('stopped');
    expect([requests.map(({ signal }) => signal), lost.state]).toEqual([[stopping], {}]);
  });

  it('a busy site is asked later', async () => {
    const client = { fetch: () => Promise.reject(new EgressBusy('HOST', 1)) };
    const lost = new LostPages(client, { group: 'group-1' });
    await expect(lost.learn('https://site.example/')).rejects.toThrow(EgressBusy);
  });
});
