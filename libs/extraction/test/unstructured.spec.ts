import { until } from '@acervo/platform-testing';
import { type Extraction, InlineSource, NoTextFound, type TextSource } from '../src';
import { type UnstructuredOptions, UnstructuredSource, UnstructuredUnavailable } from '../src/unstructured';
import { headingsOf, pagesOf, ROOMY } from './support/reading';
import { recorded } from './support/recorded-elements';
import { behavesLikeATextSource } from './support/text-source-behaviour';
import { type Asked, UnstructuredServer } from './support/unstructured-server';

/** Longer than any test: only the limits that a test names end a request. */
const NO_LIMIT_MS = 600_000;

const options = (url: string, more: Partial<UnstructuredOptions> = {}): UnstructuredOptions => ({
  url,
  apiKey: null,
  strategy: 'auto',
  deadlineMs: NO_LIMIT_MS,
  tries: 3,
  atOnce: 2,
  limits: ROOMY,
  fallback: null,
  firstWaitMs: 5,
  ...more,
});

const text = (words: string, more: object = {}): object => ({
  type: 'NarrativeText',
  element_id: 'x',
  text: words,
  metadata: more,
});

let server: UnstructuredServer;
beforeAll(async () => {
  server = await UnstructuredServer.start();
});
afterAll(() => server.close());

behavesLikeATextSource('an Unstructured server with recorded answers', () => {
  server.reply = recorded;
  return Promise.resolve(new UnstructuredSource(options(server.url)));
});

describe('an Unstructured server', () => {
  const open: TextSource[] = [];
  const using = (more: Partial<UnstructuredOptions> = {}, url = server.url): TextSource => {
    const source = new UnstructuredSource(options(url, more));
    open.push(source);
    return source;
  };
  const read = (source: TextSource, name = 'a.pdf'): Promise<Extraction> =>
    source.extract({ name, bytes: Buffer.from('bytes of a file') });
  beforeEach(() => {
    server.asked.length = 0;
    server.reply = () => ({ body: [text('Un texto.')] });
  });
  afterEach(() => Promise.all(open.splice(0).map((source) => source.close())));

  it('a redirect is refused, so that no other host gets the file', async () => {
    const headers = { location: `${server.url}/general/v0/general` };
    server.reply = (_asked, count) => (count === 1 ? { status: 307, headers } : { body: [text('Otro.')] });
    await expect(read(using({ tries: 1 }))).rejects.toThrow(UnstructuredUnavailable);
    expect(server.asked).toHaveLength(1);
  });
  it('the server receives bytes, ending, strategy and key, but no name', async () => {
    await read(using({ apiKey: 'k-1', strategy: 'fast' }), 'nómina de Ana.pdf');
    const [{ fileName, fields, key, bytes }] = server.asked as [Asked];
    expect([fileName, fields.get('strategy'), key, bytes.toString()]).toEqual([
      'document.pdf',
      'fast',
      'k-1',
      'bytes of a file',
    ]);
  });

  it('titles have depths; repeated page elements are left out', async () => {
    server.reply = () => ({
      body: [
        { type: 'Header', element_id: '0', text: 'ACME', metadata: { page_number: 1 } },
        { type: 'Title', element_id: '1', text: 'Uno', metadata: { page_number: 1, category_depth: 0 } },
        { type: 'Title', element_id: '2', text: 'Dos', metadata: { page_number: 1, category_depth: 1 } },
        { type: 'ListItem', element_id: '3', text: 'a\u0000b', metadata: { page_number: 3 } },
        { type: 'ListItem', element_id: '4', text: 'c', metadata: { page_number: 2 } },
        { type: 'PageNumber', element_id: '5', text: '3', metadata: { page_number: 3 } },
      ],
    });
    const { document } = await read(using());
    expect(headingsOf(document)).toEqual(['1 Uno', '2 Dos']);
    expect(pagesOf(document)).toEqual(['1: Uno\n\nDos', '3: ab', '2: c']);
  });

  it('formats without pages get no pages', async () => {
    server.reply = () => ({ body: [text('Uno.', { page_number: 1 }), text('Dos.', { page_number: 2 })] });
    expect((await read(using(), 'a.docx')).document.pages).toEqual([]);
  });

  it('the date of the server copy is ignored', async () => {
    server.reply = () => ({ body: [text('Uno.', { last_modified: '2026-01-01T00:00:00' })] });
    expect((await read(using())).document).toMatchObject({ author: null, date: null });
  });

  it('a mail has its sender, subject and date', async () => {
    const facts = {
      subject: 'Obras',
      sent_from: ['Ana <ana@example.org>'],
      last_modified: '2024-03-05T10:00:00+00:00',
    };
    server.reply = () => ({ body: [text('Hola.', facts)] });
    expect((await read(using(), 'a.eml')).document).toMatchObject({
      title: 'Obras',
      author: 'Ana <ana@example.org>',
      date: '2024-03-05T10:00:00.000Z',
    });
  });

  it.each([
    ['nothing', { body: [] }, NoTextFound],
    ['that the file is damaged', { status: 422 }, /damaged/],
    ['that it does not know the kind', { status: 415 }, /does not read files of this kind/],
    ['that the file is too large', { status: 413 }, /larger than/],
    ['more text than a document may have', { body: [text('x'.repeat(50))] }, /more than 40 characters/],
    ['more bytes than any document could need', { body: [text('x'.repeat(2_000))] }, /more than 40 characters/],
  ])('an answer of %s refuses the file without a retry', async (_what, reply, error) => {
    server.reply = () => reply;
    await expect(read(using({ limits: { ...ROOMY, characters: 40 } }))).rejects.toThrow(error);
    expect(server.asked).toHaveLength(1);
  });

  it.each([429, 500, 502, 503])('a temporary answer of %d is retried', async (status) => {
    server.reply = (_asked, count) => (count < 3 ? { status } : { body: [text('Al fin.')] });
    expect((await read(using())).document.text).toBe('Al fin.');
    expect(server.asked).toHaveLength(3);
  });

  it('a retry waits as long as the server requests', async () => {
    server.reply = (_asked, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '1' } } : { body: [text('Ya.')] };
    const started = performance.now();
    await read(using());
    expect(performance.now() - started).toBeGreaterThan(950);
  });

  it.each([
    ['keeps failing', { status: 503 }, 3, /it answered 503/],
    ['refuses the key', { status: 401 }, 1, /it answered 401.*check its address, its key/],
    ['speaks another language', { body: { elements: [] } }, 3, /cannot read now/],
  ])('a server that %s leaves the file for a retry', async (_what, reply, asked, message) => {
    server.reply = () => reply;
    const reading = read(using());
    await expect(reading).rejects.toThrow(UnstructuredUnavailable);
    await expect(reading).rejects.toThrow(message);
    expect(server.asked).toHaveLength(asked);
  });

  it('a server that takes too long leaves the file for a retry', async () => {
    server.reply = () => ({ delayMs: NO_LIMIT_MS, body: [] });
    await expect(read(using({ deadlineMs: 300 }))).rejects.toThrow(UnstructuredUnavailable);
    expect(server.asked.length).toBeLessThanOrEqual(1);
  });

  it('the fallback replaces an unavailable server, but not a refusal', async () => {
    server.reply = () => ({ status: 503 });
    const source = using({ fallback: new InlineSource(), tries: 1 });
    expect((await source.extract({ name: 'a.txt', bytes: Buffer.from('Aquí mismo.') })).document.text).toBe(
      'Aquí mismo.',
    );
    await expect(read(source, 'a.dwg')).rejects.toThrow(UnstructuredUnavailable);
    server.reply = () => ({ body: [] });
    await expect(source.extract({ name: 'a.txt', bytes: Buffer.from('Aquí.') })).rejects.toThrow(NoTextFound);
  });

  it('an unknown server is unavailable, without console output', async () => {
    const spies = (['error', 'warn', 'info', 'log'] as const).map((name) => jest.spyOn(console, name));
    await expect(read(using({ tries: 2 }, 'http://127.0.0.1:9'))).rejects.toThrow(UnstructuredUnavailable);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it('a closed source sends no requests', async () => {
    server.reply = () => ({ delayMs: NO_LIMIT_MS, body: [] });
    const source = using({ tries: 1 });
    const reading = expect(read(source)).rejects.toThrow(UnstructuredUnavailable);
    await until('the server has the file', () => server.asked.length === 1);
    await source.close();
    await reading;
  });
});
