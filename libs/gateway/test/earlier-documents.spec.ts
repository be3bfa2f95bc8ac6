import request from 'supertest';
import {
  DocumentDetail,
  DocumentList,
  getDocument,
  listDocuments,
  listQueue,
  Queue,
  QuotaExceeded,
  searchDocuments,
  SearchResult,
} from '@acervo/contracts';
import type { HttpApp } from '@acervo/platform-http';
import { EarlierDocumentsController } from '../src/documents/earlier-documents.controller';
import { EarlierQueueController } from '../src/queue/earlier-queue.controller';
import { gatewayOf, StubCalls } from './support';

const moment = '2026-01-02T03:04:05.000Z';
const fs = { homeVar: 'H', relativePath: 'a', path: '/a', origin: 'CARPETA' };
const document = {
  ...{ code: 'D1', name: 'acta.md', status: 'VECTORIZADO', summary: null, location: '/a/acta.md', locationCode: 'L1' },
  ...{ entityCode: 'E1', documentTypeCode: 'ACTA', url: 'https://acervo.test/D1', updatedAt: moment, fs },
};
const detail = {
  ...document,
  ...{ reason: null, language: 'es', sizeBytes: 7, pages: 2, chunkCount: 3, createdAt: moment },
};
const inSpanish = {
  ...{ codigo: 'D1', nombre: 'acta.md', codigo_estado_doc: 'VECTORIZADO', resumen: null, ubicacion: '/a/acta.md' },
  ...{ codigo_ubicacion: 'L1', codigo_entidad: 'E1', codigo_tipo_documento: 'ACTA', url: 'https://acervo.test/D1' },
  fecha_modificacion: moment,
};
const detailInSpanish = {
  ...inSpanish,
  ...{ motivo: null, idioma: 'es', tamano_bytes: 7, paginas: 2, total_fragmentos: 3, fecha_creacion: moment },
};
const passage = (text: string, page: number | null): object => ({ text, page, extra: {} });
const found = (code: string, maxSimilarity: number | null, chunks: readonly object[]): object => ({
  ...{ code, name: `${code}.md`, summary: 'x', location: '/x', url: 'x', rrfScore: 1, maxSimilarity },
  ...{ rerankScore: null, chunks, fs },
});
const item = {
  ...{ documentCode: 'D1', documentName: 'acta.md', process: 'hand-over', status: 'EN_ESPERA', attempts: 2 },
  ...{ reason: 'later', createdAt: moment, updatedAt: moment },
};

describe('an earlier route of documents and of the queue', () => {
  const calls = new StubCalls();
  let gateway: HttpApp;
  beforeAll(async () => {
    gateway = await gatewayOf([EarlierDocumentsController, EarlierQueueController], calls);
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    calls.sent.length = 0;
    calls.answers.clear();
  });
  const get = (path: string, bearer = 'administrator'): request.Test =>
    request(gateway.handler).get(path).set('Authorization', `Bearer ${bearer}`);
  const search = (body: object, bearer = 'administrator'): request.Test =>
    request(gateway.handler).post('/documentos/buscar-semantico').set('Authorization', `Bearer ${bearer}`).send(body);
  const sent = (): unknown[] => calls.sent.map(({ request: input }) => input);

  it('a page of documents has Spanish names and internal codes', async () => {
    const list = { documents: [document], total: 41, page: 3, limit: 20 };
    calls.answers.set(listDocuments.code, Object.assign(new DocumentList(), list));
    const { body } = await get('/documentos/paginado?codigo_estado_doc=VECTORIZADO&page=3').expect(200);
    expect(body).toEqual({ items: [inSpanish], total: 41, page: 3, limit: 20 });
    expect(sent()).toEqual([{ status: 'VECTORIZADO', page: 3, limit: 20 }]);
  });

  it('a page of documents without a query is the first of twenty', async () => {
    await get('/documentos/paginado').expect(404);
    expect(sent()).toEqual([{ page: 1, limit: 20 }]);
  });

  it('the detail of a document has Spanish names', async () => {
    calls.answers.set(getDocument.code, Object.assign(new DocumentDetail(), detail));
    expect((await get('/documentos/D1').expect(200)).body).toEqual(detailInSpanish);
    expect(sent()).toEqual([{ documentCode: 'D1' }]);
  });

  it('a search shows the best passage of each document', async () => {
    const documents = [found('D1', 0.7, [passage('Uno.', 4), passage('Dos.', 5)]), found('D2', null, [])];
    const answer = { documents, totalDocuments: 2, totalChunks: 2, durationMs: 1 };
    calls.answers.set(searchDocuments.code, Object.assign(new SearchResult(), answer));
    expect((await search({ q: 'riego' }).expect(200)).body).toEqual({
      resultados: [
        { codigo_documento: 'D1', nombre: 'D1.md', similitud_max: 0.7, texto: 'Uno.', pagina: 4 },
        { codigo_documento: 'D2', nombre: 'D2.md', similitud_max: null, texto: null, pagina: null },
      ],
    });
    expect(sent()).toEqual([{ query: 'riego', limit: 10, minSimilarity: 0 }]);
  });

  it('the queue has Spanish names and internal codes', async () => {
    calls.answers.set(listQueue.code, Object.assign(new Queue(), { items: [item], total: 9 }));
    const { body } = await get('/cola-estados-docs/paginado?proceso=hand-over&estado=EN_ESPERA&limit=7').expect(200);
    expect(body).toEqual({
      items: [
        {
          ...{ codigo_documento: 'D1', nombre_documento: 'acta.md', proceso: 'hand-over', estado: 'EN_ESPERA' },
          ...{ intentos: 2, motivo: 'later', fecha_creacion: moment, fecha_modificacion: moment },
        },
      ],
      ...{ total: 9, limit: 7 },
    });
    expect(sent()).toEqual([{ process: 'hand-over', status: 'EN_ESPERA', limit: 7 }]);
  });

  it('the queue shows twenty items without a limit', async () => {
    await get('/cola-estados-docs/paginado').expect(404);
    expect(sent()).toEqual([{ limit: 20 }]);
  });

  it.each([
    ...['codigo_estado_doc=VECTORIZED', 'codigo_estado_doc=NADA', 'codigo_estado_doc='].map(
      (query) => `/documentos/paginado?${query}`,
    ),
    ...['limit=101', 'limit=0', 'page=0', 'page=1000001', 'status=VECTORIZADO'].map(
      (query) => `/documentos/paginado?${query}`,
    ),
    ...['estado=PENDING', 'proceso=ACQUIRE', 'limit=201', 'page=1'].map(
      (query) => `/cola-estados-docs/paginado?${query}`,
    ),
  ])('the path %s answers 422 in Spanish and sends nothing', async (path) => {
    const { body } = await get(path).expect(422);
    expect(body).toMatchObject({ codigo: 'VALIDATION_ERROR', mensaje: 'La solicitud no cumple el esquema publicado.' });
    expect(calls.sent).toEqual([]);
  });

  it.each<[number, object]>([
    [400, { q: '  ' }],
    [422, {}],
    [422, { q: 7 }],
    [422, { q: 'x'.repeat(4_001) }],
    [422, { q: 'riego', limit: 101 }],
    [422, { q: 'riego', limit: '5' }],
    [422, { query: 'riego' }],
  ])('a search answers %i to a body without meaning or shape and sends nothing', async (status, sentBody) => {
    expect((await search(sentBody).expect(status)).body).toHaveProperty('codigo');
    expect(calls.sent).toEqual([]);
  });

  it('a search without quota answers 402 in Spanish', async () => {
    calls.answers.set(searchDocuments.code, new QuotaExceeded());
    const { body } = await search({ q: 'riego' }).expect(402);
    expect(body).toMatchObject({ codigo: 'QUOTA_EXCEEDED', mensaje: expect.stringContaining('cuota') as string });
  });

  it.each(['/documentos/D9', '/documentos/a%20b'])('the unknown document %s answers 404 in Spanish', async (path) => {
    expect((await get(path).expect(404)).body).toMatchObject({
      codigo: 'NOT_FOUND',
      id_solicitud: expect.anything() as string,
    });
  });

  it.each([
    ['/documentos/paginado', 'chats'],
    ['/documentos/D1', 'without-screens'],
    ['/cola-estados-docs/paginado', 'chats'],
  ])('the path %s answers 403 to a caller without its screens', async (path, caller) => {
    await get(path, caller).expect(403);
    expect(calls.sent).toEqual([]);
  });

  it('a search is sent for a caller who only chats, and for none without screens', async () => {
    await search({ q: 'riego' }, 'chats').expect(404);
    await search({ q: 'riego' }, 'without-screens').expect(403);
    expect(calls.sent).toHaveLength(1);
  });

  it('an API key answers 403 on every earlier route', async () => {
    for (const path of ['/documentos/paginado', '/documentos/D1', '/cola-estados-docs/paginado'])
      await get(path, 'key').expect(403);
    await search({ q: 'riego' }, 'key').expect(403);
    expect(calls.sent).toEqual([]);
  });
});
