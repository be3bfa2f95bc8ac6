/// <reference lib="dom" />
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DOMWindow, JSDOM } from 'jsdom';
import { DocumentEdges, getDocumentEdges, InvalidContext, searchDocuments, SearchResult } from '@acervo/contracts';
import { until as untilTrue } from '@acervo/platform-testing';
import { pageFrom } from '../src/assets';
import { DocumentsController } from '../src/documents/documents.controller';
import { gatewayOf, StubCalls } from './support';

const HOSTILE = '<img src=x onerror=alert(1)>';
const fs = {
  ...{ homeVar: 'ACERVO_HOME_L1', relativePath: 'a.md', path: '/a.md', origin: 'CARPETA' },
  ...{ isAbsolute: false, isPublicUrl: false, isCloudOnly: false },
};
const hit = (code: string): object => ({
  ...{ code, name: `${code}.md`, summary: '', location: '/docs', url: 'https://acervo.test', rrfScore: 1 },
  ...{ maxSimilarity: 0.5, rerankScore: null, fs },
  chunks: [{ text: 'El agua.', page: null, extra: { similarity: 0.5, chunkNumber: 0 } }],
});
/** A document that was found by its words alone. */
const foundByWords = (code: string, embedded: boolean): object => ({
  ...hit(code),
  maxSimilarity: null,
  chunks: [{ text: 'El agua.', page: null, extra: { similarity: null, chunkNumber: 0, embedded } }],
});
const hits = (...codes: readonly string[]): SearchResult =>
  Object.assign(new SearchResult(), {
    ...{ documents: codes.map(hit), totalDocuments: codes.length, totalChunks: codes.length, durationMs: 1 },
  });
const evidence = { page: 1, startAt: 0, endAt: 5, quote: 'Marzo' };
const feature = (code: string, value: string | null, name = `Rasgo ${code}`) => ({
  ...{ categoryCode: 'C', code, name, value, source: 'RULE', confidence: 1, evidence },
});
const edges = (over: object = {}): DocumentEdges =>
  Object.assign(new DocumentEdges(), {
    document: {
      ...{ code: 'D1', name: 'D1.md', status: 'VECTORIZADO', summary: null, location: '/docs', locationCode: 'L1' },
      ...{ entityCode: 'E1', documentTypeCode: 'LEASE', url: 'https://acervo.test', fs },
      updatedAt: '2026-01-02T03:04:05.000Z',
    },
    typePath: [
      { code: 'CONTRACT', name: 'Contrato' },
      { code: 'LEASE', name: HOSTILE },
    ],
    ...{ locationPath: [], neighborsTwoHops: [] },
    features: [feature('SIGNED', null), feature('RENT', '1234.50 EUR')],
    ...over,
  });

describe('the search page', () => {
  const calls = new StubCalls();
  let server: Server;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    const gateway = await gatewayOf([DocumentsController], calls);
    server = createServer(gateway.handler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    close = () => Promise.all([new Promise((resolve) => server.close(resolve)), gateway.close()]);
  });
  afterAll(() => close());

  let window: DOMWindow;
  /** The answer of the catalogue; null where the route is missing. */
  let catalogue: object | null;
  /** The answer of the list of spaces; null where the key may not list them. */
  let spaces: object | null;
  beforeEach(() => {
    spaces = null;
    catalogue = { document_types: [{ code: 'LEASE', name: 'Arrendamiento', parent_code: 'CONTRACT' }] };
    calls.sent.length = 0;
    calls.answers.clear();
    calls.answers.set(searchDocuments.code, hits('D1', 'D2'));
    calls.answers.set(getDocumentEdges.code, edges());
  });

  /** The page of an earlier test sends nothing more. */
  let isOpen = false;
  const pending: Promise<unknown>[] = [];
  afterEach(async () => {
    isOpen = false;
    await Promise.allSettled(pending);
  });
  /** Every request of the page is answered, and no answer causes another one. */
  const settled = async (): Promise<void> => {
    for (let settledCount = -1; settledCount < pending.length;) {
      settledCount = pending.length;
      await Promise.allSettled(pending);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const answer = async (path: string, init: RequestInit): Promise<Response> => {
    if (path === '/v1/catalog/document-types')
      return catalogue === null ? new Response('{}', { status: 404 }) : Response.json(catalogue);
    if (path === '/v1/spaces?limit=200')
      return spaces === null ? new Response('{}', { status: 403 }) : Response.json(spaces);
    return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
  };
  const fetchOf = (path: string, init: RequestInit): Promise<Response> => {
    const answering = isOpen ? answer(path, init) : Promise.reject(new Error('The page is closed.'));
    pending.push(answering);
    return answering;
  };
  const until = (condition: () => boolean): Promise<void> =>
    untilTrue(() => `the page shows: ${window.document.body.innerHTML}`, condition);
  const open = async (hash: string, key = 'user'): Promise<void> => {
    isOpen = true;
    const { html } = pageFrom('search-page', 'script.js');
    window = new JSDOM(html, { url: `https://acervo.test/${hash}`, runScripts: 'outside-only' }).window;
    Object.defineProperty(window.navigator, 'language', { value: 'es-ES' });
    Object.assign(window, { fetch: fetchOf });
    window.localStorage.setItem('acervo.key', key);
    window.eval(`(() => {${window.document.querySelector('script')?.textContent ?? ''}})()`);
    await until(
      () => /documento|$^/.test(window.document.getElementById('state')?.textContent ?? '') || !hash.includes('q='),
    );
  };
  const links = (within: string): HTMLAnchorElement[] => [
    ...window.document.querySelectorAll<HTMLAnchorElement>(`${within} .chip`),
  ];
  const labels = (within: string): (string | null)[] => links(within).map((link) => link.textContent);
  const searches = (): object[] =>
    calls.sent.flatMap(({ code, request }) => (code === searchDocuments.code ? [request] : []));

  it('each result shows its types and features as chips that filter', async () => {
    await open('#q=agua');
    await until(() => links('#results li').length === 8);
    expect(labels('#results > li:first-child')).toEqual([
      'Contrato',
      HOSTILE,
      'Rasgo SIGNED',
      'Rasgo RENT: 1234.50 EUR',
    ]);
    expect(links('#results > li:first-child').map(({ hash }) => hash)).toEqual([
      '#q=agua&type=CONTRACT',
      '#q=agua&type=LEASE',
      '#q=agua&characteristic=SIGNED',
      '#q=agua&attribute=RENT',
    ]);
    expect(links('#results')[0]?.getAttribute('aria-label')).toBe('Filtrar por Contrato');
    expect(window.document.querySelectorAll('main img')).toHaveLength(0);
  });

  it('only a document without vectors is said to be unsearched by meaning', async () => {
    const documents = [foundByWords('D1', false), foundByWords('D2', true)];
    calls.answers.set(searchDocuments.code, Object.assign(hits('D1', 'D2'), { documents }));
    await open('#q=agua');
    await until(() => window.document.querySelectorAll('#results > li').length === 2);
    const hints = [...window.document.querySelectorAll('#results > li')].map((item) =>
      item.textContent?.includes('aún no se busca por su significado'),
    );
    expect(hints).toEqual([true, false]);
  });

  it('a search that needs a focus says what to choose', async () => {
    calls.answers.set(searchDocuments.code, new InvalidContext());
    await open('');
    window.location.hash = '#q=agua';
    await until(() => /varias entidades/.test(window.document.getElementById('state')?.textContent ?? ''));
    expect(searches()).toHaveLength(1);
  });

  it('a chip narrows the search, and its counterpart widens it again', async () => {
    await open('#q=agua');
    await until(() => links('#results > li:first-child').length === 4);
    links('#results')[2]?.click();
    await until(() => searches().length === 2);
    expect(searches()[1]).toMatchObject({ query: 'agua', filter: { characteristics: ['SIGNED'] } });
    await until(() => labels('#filter').includes('Rasgo SIGNED ×'));
    const [away] = links('#filter');
    expect(away?.getAttribute('aria-label')).toBe('Quitar el filtro Rasgo SIGNED');
    away?.click();
    await until(() => searches().length === 3);
    expect(searches()[2]).not.toHaveProperty('filter.characteristics');
    expect(links('#filter')).toEqual([]);
  });

  it('an address with codes filters by all of them and names types by the catalogue', async () => {
    await open('#q=agua&type=LEASE&type=OTHER&attribute=RENT');
    await until(() => labels('#filter').includes('Arrendamiento ×'));
    expect(searches()[0]).toMatchObject({ filter: { documentTypes: ['LEASE', 'OTHER'], attributes: ['RENT'] } });
    expect(labels('#filter')).toEqual(['Arrendamiento ×', 'OTHER ×', 'RENT ×']);
  });

  it('without the catalogue the filter shows codes', async () => {
    catalogue = null;
    calls.answers.delete(getDocumentEdges.code);
    await open('#q=agua&type=LEASE');
    await until(() => labels('#filter').length === 1);
    expect(labels('#filter')).toEqual(['LEASE ×']);
  });

  it('a group without types costs no request for each result', async () => {
    catalogue = { document_types: [] };
    await open('#q=agua');
    await settled();
    expect(calls.sent.map(({ code }) => code)).toEqual([searchDocuments.code]);
  });

  it('results stay without chips where documents cannot be read', async () => {
    calls.answers.delete(getDocumentEdges.code);
    await open('#q=agua');
    await until(() => calls.sent.length === 2);
    expect(window.document.querySelectorAll('#results article')).toHaveLength(2);
    expect(links('#results')).toEqual([]);
  });

  it('a new query keeps the filter', async () => {
    await open('#q=agua&type=LEASE');
    (window.document.getElementById('query') as HTMLInputElement).value = 'luz';
    window.document
      .getElementById('search-form')
      ?.dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }));
    await until(() => searches().length === 2);
    expect(searches()[1]).toMatchObject({ query: 'luz', filter: { documentTypes: ['LEASE'] } });
  });

  const select = () => window.document.getElementById('space') as HTMLSelectElement;
  const choice = () => window.document.getElementById('space-choice');
  const choose = (value: string): void => {
    select().value = value;
    select().dispatchEvent(new window.Event('change', { bubbles: true }));
  };

  it('a chosen space narrows the search, and the address keeps it', async () => {
    spaces = { spaces: [{ space_id: 7, name: HOSTILE }], total: 1, next_cursor: null };
    await open('#q=agua&type=LEASE');
    await until(() => choice()?.hidden === false);
    expect([...select().options].map(({ text }) => text)).toEqual(['Todos los documentos', HOSTILE]);
    choose('7');
    await until(() => searches().length === 2);
    expect(searches()[1]).toMatchObject({ query: 'agua', spaceId: 7, filter: { documentTypes: ['LEASE'] } });
    expect(window.location.hash).toBe('#q=agua&type=LEASE&space=7');
    await until(() => labels('#filter').length === 1);
    links('#filter')[0]?.click();
    await until(() => searches().length === 3);
    expect(searches()[2]).toMatchObject({ spaceId: 7 });
    choose('');
    await until(() => searches().length === 4);
    expect(searches()[3]).not.toHaveProperty('spaceId');
  });

  it('an address with a space searches in it', async () => {
    spaces = { spaces: [{ space_id: 7, name: 'Riego' }], total: 1, next_cursor: null };
    await open('#q=agua&space=7');
    await until(() => select().selectedOptions[0]?.text === 'Riego');
    expect(searches()).toMatchObject([{ query: 'agua', spaceId: 7 }]);
  });

  it('a space that the key does not list can be left', async () => {
    calls.answers.delete(searchDocuments.code);
    await open('#space=9');
    await until(() => select().selectedOptions[0]?.text === 'Espacio 9');
    (window.document.getElementById('query') as HTMLInputElement).value = 'luz';
    choose('');
    await until(() => searches().length === 1);
    expect(searches()[0]).not.toHaveProperty('spaceId');
    await until(() => choice()?.hidden === true);
  });

  it.each([null, { spaces: [], total: 0, next_cursor: null }])(
    'without spaces (%j) the page offers none',
    async (none) => {
      spaces = none;
      await open('#q=agua&space=x');
      await Promise.allSettled(pending);
      expect(choice()?.hidden).toBe(true);
      expect(searches()[0]).not.toHaveProperty('spaceId');
    },
  );
});
