import request from 'supertest';
import { listSpaceDocuments, listSpaces, SpaceDocuments, SpaceList } from '@acervo/contracts';
import type { HttpApp } from '@acervo/platform-http';
import { EarlierSpacesController } from '../src/spaces/earlier-spaces.controller';
import { gatewayOf, StubCalls } from './support';

const moment = '2026-01-02T03:04:05.000Z';
const space = {
  ...{ spaceId: 7, name: 'Riego', description: '', type: 'ESPACIO', entityCode: 'E1', criteria: null },
  ...{ expression: null, isOwn: true, documentCount: 2, refreshedAt: moment, isStale: false },
  ...{ createdAt: moment, updatedAt: moment },
};
const document = {
  ...{ code: 'D1', name: 'acta.md', summary: 'Un acta.', location: '/actas/acta.md', documentTypeCode: null },
  url: 'https://acervo.test/app/documents/D1',
};
const spaces = (nextCursor: string | null): SpaceList =>
  Object.assign(new SpaceList(), { spaces: [space], total: 450, nextCursor });

describe('an earlier list of spaces', () => {
  const calls = new StubCalls();
  let gateway: HttpApp;
  beforeAll(async () => {
    gateway = await gatewayOf([EarlierSpacesController], calls);
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    calls.sent.length = 0;
    calls.answers.clear();
  });
  const get = (path: string, bearer = 'administrator'): request.Test =>
    request(gateway.handler).get(`/espacios-trabajo/${path}`).set('Authorization', `Bearer ${bearer}`);
  const sent = (): unknown[] => calls.sent.map(({ request: input }) => input);

  it('a page of spaces has Spanish names and codes', async () => {
    calls.answers.set(listSpaces.code, spaces(null));
    const { body } = await get('paginado').expect(200);
    expect(body).toEqual({
      items: [
        {
          ...{ id: 7, nombre: 'Riego', descripcion: '', tipo: 'ESPACIO', codigo_entidad: 'E1', es_propio: true },
          ...{ total_documentos: 2, desactualizado: false, fecha_actualizacion: moment },
          ...{ fecha_creacion: moment, fecha_modificacion: moment },
        },
      ],
      ...{ total: 450, page: 1, limit: 50 },
    });
    expect(sent()).toEqual([{ limit: 50 }]);
  });

  it('a page of documents names its space in the path', async () => {
    const list = Object.assign(new SpaceDocuments(), { documents: [document], total: 1, nextCursor: null });
    calls.answers.set(listSpaceDocuments.code, list);
    const { body } = await get('7/documentos/paginado?limit=10').expect(200);
    expect(body).toEqual({
      items: [
        {
          ...{ codigo: 'D1', nombre: 'acta.md', resumen: 'Un acta.', ubicacion: '/actas/acta.md' },
          ...{ url: 'https://acervo.test/app/documents/D1', codigo_tipo_documento: null },
        },
      ],
      ...{ total: 1, page: 1, limit: 10 },
    });
    expect(sent()).toEqual([{ spaceId: 7, limit: 10 }]);
  });

  it('a later page is read behind the pages before it', async () => {
    calls.answers.set(listSpaces.code, spaces('next'));
    await get('paginado?page=4&limit=150').expect(200);
    expect(sent()).toEqual([
      { limit: 200 },
      { limit: 200, cursor: 'next' },
      { limit: 50, cursor: 'next' },
      { limit: 150, cursor: 'next' },
    ]);
  });

  it('a page behind the last one is empty', async () => {
    calls.answers.set(listSpaces.code, spaces(null));
    const { body } = await get('paginado?page=3').expect(200);
    expect(body).toEqual({ items: [], total: 450, page: 3, limit: 50 });
    expect(sent()).toHaveLength(1);
  });

  it.each(['paginado?limit=201', 'paginado?page=0', 'paginado?page=202', 'paginado?q=x', 'x/documentos/paginado'])(
    'the path %s answers 422 in Spanish and sends nothing',
    async (path) => {
      const { body } = await get(path).expect(422);
      expect(body).toMatchObject({ codigo: 'VALIDATION_ERROR', mensaje: expect.any(String) as string });
      expect(calls.sent).toEqual([]);
    },
  );

  it('an unknown space answers 404 in Spanish', async () => {
    const { body } = await get('7/documentos/paginado').expect(404);
    expect(body).toHaveProperty('id_solicitud');
  });

  it('a caller without the screen of spaces answers 403', async () => {
    await get('paginado', 'chats').expect(403);
    expect(calls.sent).toEqual([]);
  });
});
