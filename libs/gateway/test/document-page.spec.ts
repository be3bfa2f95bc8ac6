/// <reference lib="dom" />
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DOMWindow, JSDOM } from 'jsdom';
import {
  DocumentDetail,
  EngineDown,
  DocumentEdges,
  getDocument,
  getDocumentEdges,
  QuotaExceeded,
  RateLimited,
  searchDocuments,
  SearchResult,
} from '@acervo/contracts';
import { until as untilTrue } from '@acervo/platform-testing';
import { documentStatus, leftOutReasons, partKinds } from '@acervo/public-mapping';
import { documentPage } from '../src/document-page/document-page';
import { DocumentsController } from '../src/documents/documents.controller';
import { gatewayOf, StubCalls } from './support';

const HOSTILE = '<img src=x onerror=alert(1)> [a](javascript:alert(2)) \u202e';
const FS = { homeVar: 'ACERVO_HOME_L1', relativePath: 'actas/acta.md', path: '/docs/actas/acta.md', origin: 'CARPETA' };
const fs = { ...FS, isAbsolute: false, isPublicUrl: false, isCloudOnly: false };
const moments = { updatedAt: '2026-01-02T03:04:05.000Z', createdAt: '2026-01-01T03:04:05.000Z' };

const detail = (over: object = {}): DocumentDetail =>
  Object.assign(new DocumentDetail(), {
    ...{ code: 'D1', name: 'acta.md', status: 'VECTORIZADO', summary: 'Un acta.', location: '/docs/actas/acta.md' },
    ...{ locationCode: 'L1', entityCode: 'E1', url: 'https://acervo.test/app/documents/D1', fs, ...moments },
    ...{ reason: null, language: 'es', sizeBytes: 1200, pages: 2, chunkCount: 9, ...over },
  });

const hit = (code: string, text: string): object => ({
  ...{ code, name: `${code} ${HOSTILE}`, summary: '', location: '/docs', url: 'https://acervo.test', rrfScore: 1 },
  ...{ maxSimilarity: 0.5, rerankScore: null, fs },
  chunks: [{ text, page: null, extra: { similarity: 0.5, chunkNumber: 3 } }],
});

const hits = (...documents: readonly object[]): SearchResult =>
  Object.assign(new SearchResult(), { documents, totalDocuments: 1, totalChunks: 1, durationMs: 1 });

/** Answers of auth-service, which is another program. */
type AuthAnswers = Readonly<Record<string, readonly [number, object]>>;

describe('the page of a document', () => {
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
  beforeEach(() => {
    calls.sent.length = 0;
    calls.answers.clear();
    calls.answers.set(getDocument.code, detail());
    calls.answers.set(searchDocuments.code, hits(hit('D1', `El agua de la acequia ${HOSTILE}`), hit('D2', 'Agua')));
  });

  let window: DOMWindow;
  let auth: AuthAnswers;
  let asked: string[];
  const byId = (id: string): HTMLElement => {
    const found = window.document.getElementById(id);
    if (found === null) throw new Error(`The page has no ${id}.`);
    return found;
  };
  const textOf = (id: string): string => (byId(id).hidden ? '' : (byId(id).textContent ?? '')).trim();
  const state = (): string => textOf('state');
  const isShown = (id: string): boolean => byId(id).closest('[hidden]') === null;

  const answer = async (path: string, init: RequestInit): Promise<Response> => {
    asked.push(path);
    const prepared = auth[path];
    if (prepared !== undefined) return Response.json(prepared[1], { status: prepared[0] });
    return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
  };
  const until = (condition: () => boolean): Promise<void> =>
    untilTrue(() => `the page shows: ${window.document.body.textContent}`, condition);
  const settled = (): Promise<void> =>
    until(() => !/…$/.test(state()) && !/…$/.test(textOf('search-state')) && state() + textOf('name') !== '');

  interface Visit {
    readonly key?: string;
    readonly session?: string;
    readonly address?: string;
    readonly answers?: AuthAnswers;
  }
  /** Opens the page as a browser with these credentials, and waits until it shows something. */
  const open = async ({ key, session, address = '/app/documents/D1', answers = {} }: Visit): Promise<void> => {
    const { html } = documentPage();
    ({ window } = new JSDOM(html, { url: `https://acervo.test${address}`, runScripts: 'outside-only' }));
    [auth, asked] = [answers, []];
    Object.defineProperty(window.navigator, 'language', { value: 'es-ES' });
    Object.assign(window, { fetch: answer });
    if (key !== undefined) window.localStorage.setItem('acervo.key', key);
    if (session !== undefined) window.sessionStorage.setItem('acervo.session', session);
    window.eval(`(() => {${window.document.querySelector('script')?.textContent ?? ''}})()`);
    await settled();
  };
  const submit = async (form: string, fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [id, value] of Object.entries(fields)) (byId(id) as HTMLInputElement).value = value;
    const [before, requests] = [state(), asked.length];
    byId(form).dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }));
    await until(() => asked.length > requests);
    await until(() => state() !== before || textOf('name') !== '');
    await settled();
  };

  it('with the key of the search page it shows the detail', async () => {
    await open({ key: 'user' });
    expect(textOf('name')).toBe('acta.md');
    expect(textOf('facts')).toMatch(/Listo.*español.*1,2 kB.*ACERVO_HOME_L1\/actas\/acta\.md.*E1.*L1.*D1/);
    expect(calls.sent.map(({ code }) => code)).toEqual([getDocument.code]);
    expect(window.document.title).toBe('acta.md · Acervo');
  });

  it('the parts of the file are counted, with the reasons of those left out', async () => {
    const parts = [
      { kind: 'MIME_PART', counted: 3, read: 3, leftOut: [] },
      { kind: 'PAGE', counted: 1200, read: 1198, leftOut: [{ reason: 'NO_TEXT', count: 2 }] },
    ];
    calls.answers.set(getDocument.code, detail({ extraction: { parts } }));
    await open({ key: 'user' });
    expect([...byId('facts').querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
      'Partes del correo: 3, todas leídas',
      'Páginas: 1198 de 1200 leídas; 2 sin texto',
    ]);
  });

  it('every kind of part and every reason has words of its own', async () => {
    const leftOut = leftOutReasons.map((reason) => ({ reason, count: 1 }));
    const parts = partKinds.map((kind) => ({ kind, counted: leftOut.length, read: 0, leftOut }));
    calls.answers.set(getDocument.code, detail({ extraction: { parts } }));
    await open({ key: 'user' });
    expect(textOf('facts')).not.toMatch(new RegExp([...partKinds, ...leftOutReasons].join('|')));
  });

  it('type and features are chips that lead to a filtered search', async () => {
    const found = detail({ documentTypeCode: 'LEASE' });
    const evidence = { page: 1, startAt: 0, endAt: 5, quote: 'Marzo' };
    const feature = { categoryCode: 'C', code: 'RENT', name: 'Renta', value: '900 EUR', source: 'RULE', evidence };
    const edges = {
      ...{ document: found, locationPath: [], neighborsTwoHops: [], features: [{ ...feature, confidence: 1 }] },
      typePath: [{ code: 'LEASE', name: HOSTILE }],
    };
    calls.answers.set(getDocument.code, found);
    calls.answers.set(getDocumentEdges.code, Object.assign(new DocumentEdges(), edges));
    await open({ key: 'user', address: '/app/documents/D1#q=agua' });
    await until(() => textOf('codes') !== '');
    const chips = [...byId('codes').querySelectorAll('a')].map(({ href, textContent }) => [textContent, href]);
    expect(chips).toEqual([
      [HOSTILE, 'https://acervo.test/#q=agua&type=LEASE'],
      ['Renta: 900 EUR', 'https://acervo.test/#q=agua&attribute=RENT'],
    ]);
    expect(window.document.querySelectorAll('main img')).toHaveLength(0);
  });

  it('every state of a document has words of its own', async () => {
    await open({ key: 'user' });
    for (const status of documentStatus.internalCodes) {
      calls.answers.set(getDocument.code, detail({ status, reason: 'El archivo está cifrado.' }));
      byId('retry').click();
      await settled();
      expect(textOf('facts')).not.toContain(documentStatus.toPublic(status));
      expect(textOf('facts')).toContain('El archivo está cifrado.');
    }
  });

  it('with a query it shows the passages of a search in its folder', async () => {
    await open({ key: 'user', address: '/app/documents/D1?q=agua' });
    expect(textOf('search-state')).toBe('1 pasaje de este documento');
    expect(byId('passages').querySelector('mark')?.textContent).toBe('agua');
    const links = [...byId('neighbor-list').querySelectorAll('a')].map(({ href }) => href);
    expect(links).toEqual(['https://acervo.test/app/documents/D2#q=agua']);
    expect(calls.sent[1]?.request).toMatchObject({ query: 'agua', locationCode: 'L1', limit: 10 });
    expect(window.location.href).toBe('https://acervo.test/app/documents/D1#q=agua');
  });

  it('names and passages with markup stay text', async () => {
    calls.answers.set(getDocument.code, detail({ name: HOSTILE, summary: HOSTILE, location: HOSTILE }));
    await open({ key: 'user', address: `/app/documents/D1?q=${encodeURIComponent(HOSTILE)}` });
    expect(textOf('name')).toBe(HOSTILE);
    expect(textOf('passages')).toContain('<img src=x');
    expect(window.document.querySelectorAll('main img, main script, main iframe, [onerror]')).toHaveLength(0);
    const schemes = [...window.document.querySelectorAll('a')].map(({ protocol }) => protocol);
    expect(new Set(schemes)).toEqual(new Set(['https:']));
  });

  it('the code of the address reaches the route unchanged', async () => {
    await open({ key: 'user', address: '/app/documents/ACTA%2F2024%231' });
    expect(calls.sent[0]?.request).toMatchObject({ documentCode: 'ACTA/2024#1' });
  });

  it('without a credential it asks for a login and sends nothing', async () => {
    await open({});
    expect([isShown('login-form'), state(), asked]).toEqual([true, 'Entre para ver el documento.', []]);
  });

  it('a revoked key is forgotten and a login is asked for', async () => {
    await open({ key: 'stranger' });
    expect(state()).toMatch(/no es válida o ha sido revocada/);
    expect([isShown('login-form'), window.localStorage.length]).toEqual([true, 0]);
  });

  it('an expired session is forgotten, and the key takes its place', async () => {
    await open({ session: 'stranger', key: 'user' });
    expect([textOf('name'), window.sessionStorage.length]).toEqual(['acta.md', 0]);
    await open({ session: 'stranger' });
    expect([state(), isShown('login-form')]).toEqual([expect.stringMatching(/sesión ha terminado/) as string, true]);
  });

  it.each<[string, Error | undefined, string, RegExp]>([
    ['is gone or hidden', undefined, 'user', /no existe, o esta credencial no puede verlo/],
    ['is closed to the role', undefined, 'without-screens', /no puede leer documentos/],
    ['comes too often', new RateLimited(7), 'user', /Espere 7 s/],
    ['cannot be served now', new EngineDown('PostgreSQL', 'away'), 'user', /Acervo está ocupado/],
  ])('a document that %s is explained, with another try', async (_what, error, key, expected) => {
    if (error === undefined) calls.answers.delete(getDocument.code);
    else calls.answers.set(getDocument.code, error);
    await open({ key });
    expect(state()).toMatch(expected);
    expect([isShown('document'), isShown('retry'), isShown('other-account')]).toEqual([false, true, true]);
    expect(window.localStorage.length).toBe(1);
  });

  it.each<[string, Error, RegExp]>([
    ['no retrievals are left', new QuotaExceeded(), /ha agotado sus búsquedas/],
    ['searches come too often', new RateLimited(9), /Espere 9 s/],
  ])('where %s the detail stays and the search says so', async (_what, error, expected) => {
    calls.answers.set(searchDocuments.code, error);
    await open({ key: 'user', address: '/app/documents/D1?q=agua' });
    expect(textOf('search-state')).toMatch(expected);
    expect(textOf('name')).toBe('acta.md');
  });

  const login = { access_token: 'user', mfa_required: false, factor_id: null };
  const owing = { access_token: 'owing', mfa_required: true, factor_id: 'F1' };
  const challenge = { challenge_id: 'C1', factor_id: 'F1', type: 'totp', options: null };
  const person = { email: 'ana@example.test', password: 'una clave larga' };

  it('a login opens the document and ends with the tab', async () => {
    await open({ answers: { '/auth/login': [200, login], '/auth/logout': [200, {}] } });
    await submit('login-form', person);
    expect(textOf('name')).toBe('acta.md');
    expect([window.localStorage.length, window.sessionStorage.getItem('acervo.session')]).toEqual([0, 'user']);
    byId('log-out').click();
    await until(() => isShown('login-form'));
    expect([window.sessionStorage.length, textOf('document')]).toEqual([0, '']);
    expect((byId('password') as HTMLInputElement).value).toBe('');
  });

  it.each<[number, RegExp]>([
    [401, /no son correctos/],
    [404, /Use una clave de API/],
    [429, /Demasiadas peticiones/],
    [503, /ocupado/],
  ])('a login that answers %s is explained', async (status, expected) => {
    await open({ answers: { '/auth/login': [status, {}] } });
    await submit('login-form', person);
    expect([state(), isShown('login-form')]).toEqual([expect.stringMatching(expected) as string, true]);
  });

  it('a session without its second factor is kept nowhere', async () => {
    await open({ answers: { '/auth/login': [200, owing], '/auth/mfa/challenge': [200, challenge] } });
    await submit('login-form', person);
    expect(state()).toMatch(/segundo factor/);
    expect([isShown('factor-form'), isShown('login-form'), window.sessionStorage.length]).toEqual([true, false, 0]);
  });

  it('a wrong code opens a new challenge after three tries', async () => {
    const verified = { '/auth/mfa/verify': [422, {}] as const };
    await open({ answers: { '/auth/login': [200, owing], '/auth/mfa/challenge': [200, challenge], ...verified } });
    await submit('login-form', person);
    for (const code of ['1', '2', '3', '4']) {
      byId('state').textContent = '';
      await submit('factor-form', { code });
      expect(state()).toMatch(/código no es correcto/);
    }
    expect(asked.filter((path) => path === '/auth/mfa/challenge')).toHaveLength(2);
  });
});
