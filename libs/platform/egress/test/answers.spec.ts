import type { RequestListener, ServerResponse } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { HTML, openEgress, openSite, outcomeOf, RecordedNetwork, type TestSite } from './network';

const MEGABYTE = 1024 * 1024;
const zeros = Buffer.alloc(32 * MEGABYTE);
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

type Answer = (response: ServerResponse) => void;

/** Writes without an end, as fast as the other side reads. */
const endless = (response: ServerResponse, part: Buffer): void => {
  const write = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', write);
  write();
};

const drip = (response: ServerResponse, part: string): void => {
  const timer = setInterval(() => response.write(part), 5);
  response.on('close', () => clearInterval(timer));
};

const html = (headers: Record<string, string> = {}): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  ...headers,
});

const encodedPage =
  (encoding: string, body: Buffer): Answer =>
  (response) =>
    void response.writeHead(200, html({ 'content-encoding': encoding })).end(body);

const answers: Readonly<Record<string, Answer>> = {
  '/page': (response) => void response.writeHead(200, html({ etag: '"1"', 'set-cookie': 'a=b' })).end('<p>page</p>'),
  '/gzip': encodedPage('gzip', gzipSync('<p>page</p>')),
  '/br': encodedPage('br', brotliCompressSync('<p>page</p>')),
  '/deflate': encodedPage('deflate', deflateSync('<p>page</p>')),
  '/gzip-bomb': encodedPage('gzip', gzipSync(zeros)),
  '/br-bomb': encodedPage('br', brotliCompressSync(zeros, FAST)),
  '/deflate-bomb': encodedPage('deflate', deflateSync(zeros)),
  '/bomb-in-bomb': encodedPage('gzip, gzip', gzipSync(gzipSync(zeros))),
  '/unknown-encoding': encodedPage('zstd', Buffer.from('x')),
  '/broken-encoding': encodedPage('gzip', Buffer.from('no gzip')),
  '/cut-encoding': encodedPage('gzip', gzipSync('<p>page</p>').subarray(0, 12)),
  '/endless': (response) => endless(response.writeHead(200, html()), Buffer.alloc(65_536, 'a')),
  '/too-long': (response) => void response.writeHead(200, html({ 'content-length': String(2 ** 40) })).flushHeaders(),
  '/huge-header': (response) => void response.writeHead(200, html({ long: 'a'.repeat(100_000) })).end(),
  '/many-headers': (response) =>
    void response
      .writeHead(200, html(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`h${index}`, 'aaaaaaaa']))))
      .end(),
  '/drip': (response) => drip(response.writeHead(200, html()), 'a'),
  '/silent': () => undefined,
  '/binary': (response) => void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('x'),
  '/untyped': (response) => void response.writeHead(200).end('x'),
  '/gone': (response) => void response.writeHead(410, { 'content-type': 'application/octet-stream' }).end('gone'),
  '/circle': (response) => void response.writeHead(302, { location: '/circle' }).end(),
  '/no-target': (response) => void response.writeHead(301).end(),
  '/r1': (response) => void response.writeHead(301, { location: '/page' }).end(),
  '/r2': (response) => void response.writeHead(307, { location: 'r1' }).end(),
  '/r3': (response) => void response.writeHead(308, { location: '//other.example/r2' }).end(),
  '/r4': (response) => void response.writeHead(303, { location: '/r3' }).end(),
};

const heard: { path: string; headers: Record<string, unknown> }[] = [];

const answerPath: RequestListener = (request, response) => {
  const path = request.url ?? '';
  heard.push({ path, headers: request.headers });
  if (request.headers['if-none-match'] === '"1"') return void response.writeHead(304).end();
  const answer = answers[path];
  if (answer === undefined) return void response.writeHead(404).end();
  answer(response);
};

describe('answers of sites', () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await openSite(answerPath);
  });
  afterAll(() => site.close());

  const outcome = (path: string, totalMs?: number): Promise<string> =>
    outcomeOf(
      openEgress({}, { ...new RecordedNetwork(site), ...(totalMs === undefined ? {} : { totalMs }) }),
      `http://site.example${path}`,
    );
  const page = (path: string, etag: string | null = null) =>
    openEgress({}, new RecordedNetwork(site)).fetch('group-1', {
      url: `http://site.example${path}`,
      types: HTML,
      validators: { etag, lastModified: null },
    });

  it.each(['/page', '/gzip', '/br', '/deflate'])('reads the body of %s', async (path) => {
    expect((await page(path)).body.toString()).toBe('<p>page</p>');
  });

  it.each([
    ['/gzip-bomb', 'SIZE'],
    ['/br-bomb', 'SIZE'],
    ['/deflate-bomb', 'SIZE'],
    ['/bomb-in-bomb', 'ENCODING'],
    ['/unknown-encoding', 'ENCODING'],
    ['/broken-encoding', 'ENCODING'],
    ['/cut-encoding', 'ENCODING'],
    ['/endless', 'SIZE'],
    ['/too-long', 'SIZE'],
    ['/huge-header', 'HEADERS'],
    ['/many-headers', 'HEADERS'],
    ['/binary', 'TYPE'],
    ['/untyped', 'TYPE'],
    ['/no-target', 'REDIRECT'],
  ])('refuses %s for its %s', async (path, problem) => {
    await expect(page(path)).rejects.toMatchObject({ code: 'ANSWER_REFUSED', problem });
  });

  it('keeps a bomb out of memory', async () => {
    const before = process.memoryUsage().arrayBuffers;
    await Promise.all(['/gzip-bomb', '/br-bomb', '/deflate-bomb'].map((path) => outcome(path)));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * MEGABYTE);
  });

  it.each(['/drip', '/silent'])('ends %s when the time is over', async (path) => {
    const egress = openEgress({}, { ...new RecordedNetwork(site), totalMs: 300 });
    const fetched = egress.fetch('group-1', { url: `http://site.example${path}`, types: HTML });
    await expect(fetched).rejects.toMatchObject({ code: 'SITE_UNAVAILABLE', reason: 'TIME' });
  });

  it('ends when the caller does', async () => {
    const ending = new AbortController();
    const egress = openEgress({}, new RecordedNetwork(site));
    const fetched = egress.fetch('group-1', {
      ...{ url: 'http://site.example/silent', types: HTML, signal: ending.signal },
    });
    ending.abort(new Error('cancelled'));
    await expect(fetched).rejects.toThrow('cancelled');
  });

  it('ends a name that the resolver never answers', async () => {
    const dependencies = { resolve: () => new Promise<never>(() => undefined), totalMs: 50 };
    expect(await outcomeOf(openEgress({}, dependencies), 'http://site.example/')).toBe('SiteUnavailable');
  });

  it('reads the status of a page that is gone and not its body', async () => {
    expect(await page('/gone')).toMatchObject({ status: 410, body: Buffer.alloc(0) });
  });

  it('follows three redirects and no fourth', async () => {
    expect(await page('/r3')).toMatchObject({ status: 200, redirects: 3, url: 'http://other.example/page' });
    await expect(page('/r4')).rejects.toMatchObject({ code: 'TOO_MANY_REDIRECTS' });
    expect(await outcome('/circle')).toBe('TooManyRedirects');
  });

  it('asks whether a stored page changed', async () => {
    expect(await page('/page')).toMatchObject({ status: 200, validators: { etag: '"1"', lastModified: null } });
    expect(await page('/page', '"1"')).toMatchObject({ status: 304 });
  });

  it('sends its name and no cookie, whatever the site sets', async () => {
    heard.length = 0;
    const egress = openEgress({ ACERVO_EGRESS_CONTACT: 'https://org.example/bot' }, new RecordedNetwork(site));
    await outcomeOf(egress, 'http://site.example/page');
    await outcomeOf(egress, 'http://site.example/page');
    expect(heard.map(({ path }) => path)).toEqual(['/robots.txt', '/page', '/page']);
    for (const { headers } of heard) {
      expect(headers['user-agent']).toMatch(/^Acervo\/[\d.]+ \(\+https:\/\/org\.example\/bot\)$/);
      expect(headers['host']).toBe('site.example');
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie']));
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['authorization']));
    }
  });

  it('tries the next address of a name that does not answer', async () => {
    const network = new RecordedNetwork(site, { 'site.example': [['93.184.215.15', '93.184.215.14']] });
    const closed = await closedPort();
    const dependencies = {
      resolve: network.resolve,
      connect: ((options, callback) =>
        options.hostname.endsWith('15')
          ? network.connect({ ...options, hostname: '127.0.0.1', port: String(closed) }, callback)
          : network.connect(options, callback)) as typeof network.connect,
    };
    expect(await outcomeOf(openEgress({}, dependencies), 'http://site.example/page')).toBe('200');
  });
});

/** Sites that do not speak HTTP. */
describe('what answers no HTTP', () => {
  it.each([
    ['a banner', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['two status lines', 'HTTP/1.1 200 OK\r\nHTTP/1.1 200 OK\r\n\r\n'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
    ['nothing', ''],
  ])('fails on %s', async (_what, text) => {
    const server = createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.resume().end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = (server.address() as { port: number }).port;
    expect(await outcomeOf(openEgress({}, new RecordedNetwork({ port })), 'http://site.example/')).toBe(
      'SiteUnavailable',
    );
    await new Promise((resolve) => server.close(resolve));
  });
});

const closedPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  await new Promise<unknown>((resolve) => connect(port, '127.0.0.1').on('error', resolve));
  return port;
};
