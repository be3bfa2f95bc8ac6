import { randomUUID } from 'node:crypto';
import {
  ContextConflict,
  type EntityReach,
  NotFound,
  searchPassages,
  type SearchRequest,
  type SearchResult,
  type ScopeClaims,
} from '@acervo/contracts';
import { QueryAnalyzer } from '../src/search/query-analyzer';
import { type DocumentInput, handOver, publishLocation, userScope, withdraw } from './documents';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
let retrieval: Retrieval;
/** What auth answers about an entity outside of the focus; undefined: it is not found. */
let reached: readonly string[] | null | undefined;
const auth = {
  send: (): Promise<never> => {
    const answer: EntityReach | undefined = reached === undefined ? undefined : { locationRoots: reached };
    return answer === undefined ? Promise.reject(new NotFound()) : Promise.resolve(answer as never);
  },
};

const library: readonly Omit<DocumentInput, 'groupId'>[] = [
  {
    code: 'CONTRATO',
    name: 'contrato-suministro.pdf',
    texts: [
      'El expediente 2024/0153-B regula el suministro de energía eléctrica en las instalaciones municipales.',
      'La penalización por retraso asciende al dos por ciento del importe.',
    ],
  },
  {
    code: 'OTRO-CONTRATO',
    name: 'contrato-limpieza.pdf',
    texts: ['El expediente 2024/0154-B regula la limpieza. El expediente anterior fue 2024/0152-B.'],
  },
  {
    code: 'MANUAL',
    name: 'pump-manual.docx',
    title: 'Centrifugal pumps',
    language: 'en',
    texts: ['The impellers are inspected every six months.', 'Lubricate the bearings before starting the machine.'],
  },
  {
    code: 'ACTA',
    name: 'acta_reunion_marzo.txt',
    entityCode: 'E2',
    locationCode: 'L2',
    locationAncestors: ['L2', 'ROOT'],
    texts: ['Se aprobó la ampliación del depósito de agua.'],
  },
  {
    code: 'LARGO',
    name: 'largo.txt',
    texts: Array.from({ length: 12 }, (_, index) => `La turbina número ${index} gira en la central hidroeléctrica.`),
  },
];

beforeAll(async () => {
  retrieval = await openRetrieval({ elsewhere: auth });
  for (const document of library) await handOver(retrieval, { groupId, ...document });
});
afterAll(() => retrieval.close());

const search = (
  query: string,
  over: Partial<SearchRequest> = {},
  claims: Partial<ScopeClaims> = {},
): Promise<SearchResult> =>
  retrieval.searchWith().search(userScope(groupId, claims), { query, limit: 10, minSimilarity: 0, ...over });
const codes = async (...args: Parameters<typeof search>): Promise<string[]> =>
  (await search(...args)).documents.map(({ code }) => code);

describe('a search', () => {
  it.each([
    ['energía eléctrica', 'CONTRATO'],
    ['energia electrica', 'CONTRATO'],
    ['ENERGÍA ELÉCTRICA de las instalaciones', 'CONTRATO'],
    ['ampliaciones de depositos', 'ACTA'],
    ['ampliación de depósitos', 'ACTA'],
    ['inspecting an impeller', 'MANUAL'],
    ['lubricating bearings', 'MANUAL'],
    ['lubricáting béarings', 'MANUAL'],
  ])('the query "%s" finds the document %s first', async (query, code) => {
    expect((await codes(query))[0]).toBe(code);
  });

  it.each([
    ['2024/0153-B', 'CONTRATO'],
    ['expediente 2024/0153-b', 'CONTRATO'],
    ['2024/0154-B', 'OTRO-CONTRATO'],
  ])('the exact identifier %s finds its document first', async (query, code) => {
    expect((await codes(query))[0]).toBe(code);
  });

  it.each([
    ['acta_reunion_marzo.txt', 'ACTA'],
    ['acta reunión marzo', 'ACTA'],
    ['pump-manual.docx', 'MANUAL'],
    ['contrato-limpieza', 'OTRO-CONTRATO'],
    ['centrifugal pumps', 'MANUAL'],
  ])('the name or title %s finds its document first', async (query, code) => {
    expect((await codes(query))[0]).toBe(code);
  });

  it('a hit shows its passage literally, with its position', async () => {
    const [document] = (await search('penalización por retraso')).documents;
    expect(document).toMatchObject({
      code: 'CONTRATO',
      url: 'https://acervo.test/app/documents/CONTRATO',
      rerankScore: null,
      fs: { origin: 'CARPETA', isAbsolute: false },
    });
    expect(document?.chunks[0]).toMatchObject({
      text: 'La penalización por retraso asciende al dos por ciento del importe.',
      page: null,
      extra: { chunkNumber: 1 },
    });
  });

  it('a search counts the hits that it returns', async () => {
    const result = await search('expediente', { limit: 2 });
    expect(result.totalDocuments).toBe(2);
    expect(result.totalChunks).toBe(result.documents.reduce((sum, { chunks }) => sum + chunks.length, 0));
    expect(result.durationMs).toBeGreaterThan(0);
  });

  it('documents come by falling score', async () => {
    const scores = (await search('expediente turbina agua')).documents.map(({ rrfScore }) => rrfScore);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('a search returns at most the requested number of documents', async () => {
    expect(await codes('expediente', { limit: 1 })).toHaveLength(1);
    expect(await codes('expediente', { limit: 3 })).toHaveLength(3);
  });

  it('a document shows at most five chunks, each once', async () => {
    const [document] = (await search('turbina central hidroeléctrica')).documents;
    expect(document?.code).toBe('LARGO');
    const numbers = document?.chunks.map(({ extra }) => extra.chunkNumber) ?? [];
    expect(new Set(numbers).size).toBe(5);
  });

  it('chat and ingestion get chunks in full', async () => {
    const request = { query: 'turbina central hidroeléctrica', limit: 1, minSimilarity: 0 };
    const full = library.find(({ code }) => code === 'LARGO')?.texts ?? [];
    const [document] = (await retrieval.searchWith().passages(userScope(groupId), request)).documents;
    expect(document?.chunks).toHaveLength(5);
    for (const { text, extra } of document?.chunks ?? []) expect(text).toBe(full[extra.chunkNumber]);
    expect(searchPassages.callers).toEqual(['chat', 'ingestion']);
  });

  it('a long document of one chunk shows the sentences that match', async () => {
    const filler = (word: string): string => `La ${word} se trató en la sesión ordinaria del pleno. `.repeat(8);
    const text = `${filler('plaza')}El puente colgante se cierra en octubre. ${filler('feria')}`.trim();
    const { documentId } = await handOver(retrieval, { groupId, code: 'PUENTE', texts: [text] });
    const [document] = (await search('puente colgante')).documents;
    const [passage, ...others] = document?.chunks.map((chunk) => chunk.text) ?? [];
    expect([document?.code, others]).toEqual(['PUENTE', []]);
    expect(passage).toContain('El puente colgante se cierra en octubre.');
    expect(text).toContain(passage);
    expect(passage?.length).toBeLessThanOrEqual(text.length * 0.6);
    await withdraw(retrieval, groupId, documentId, 2);
  });

  it('min_similarity drops hits that are similar by chance', async () => {
    const threshold = 0.2;
    const all = (await search('turbina central hidroeléctrica')).documents;
    const similar = all.filter(({ maxSimilarity }) => (maxSimilarity ?? 0) >= threshold).map(({ code }) => code);
    expect(similar).toContain('LARGO');
    expect(similar.length).toBeLessThan(all.length);
    expect(await codes('turbina central hidroeléctrica', { minSimilarity: threshold })).toEqual(similar);
    expect(await codes('turbina central hidroeléctrica', { minSimilarity: 1 })).toEqual([]);
  });

  it('a withdrawn document is not found', async () => {
    const { documentId } = await handOver(retrieval, { groupId, code: 'EFIMERO', texts: ['Cláusula efímera única.'] });
    expect((await codes('cláusula efímera'))[0]).toBe('EFIMERO');
    await withdraw(retrieval, groupId, documentId, 2);
    expect(await codes('cláusula efímera')).not.toContain('EFIMERO');
  });

  it('a search analyses its query once', async () => {
    const analyse = jest.spyOn(QueryAnalyzer.prototype, 'analyse');
    const scope = userScope(groupId);
    const request = { query: 'turbina central hidroeléctrica', limit: 1, minSimilarity: 0 };
    await search(request.query, { limit: 1 });
    expect(analyse).toHaveBeenCalledTimes(1);
    await retrieval.searchWith().passages(scope, request);
    expect(analyse).toHaveBeenCalledTimes(2);
    await retrieval.explainWith().explain(scope, request);
    expect(analyse).toHaveBeenCalledTimes(3);
    analyse.mockRestore();
  });

  it('a group without documents gets an empty list', async () => {
    const other = userScope(randomUUID());
    const { documents } = await retrieval.searchWith().search(other, { query: 'agua', limit: 10, minSimilarity: 0 });
    expect(documents).toEqual([]);
  });
});

describe('a narrowed search', () => {
  it('a folder narrows a search to everything below it', async () => {
    expect(await codes('agua expediente', { locationCode: 'L2' })).toEqual(['ACTA']);
    expect(await codes('agua expediente', { locationCode: 'ROOT' })).toHaveLength(library.length);
  });

  it('an entity narrows a search to its documents', async () => {
    expect(await codes('agua expediente', { entityCode: 'E2' })).toEqual(['ACTA']);
    expect(await codes('agua expediente', {}, { activeEntity: 'E2' })).toEqual(['ACTA']);
  });

  it('the area of the caller hides other folders', async () => {
    const area = { locationRoots: ['L2'] };
    expect(await codes('agua expediente', {}, area)).toEqual(['ACTA']);
    await expect(search('agua', { locationCode: 'L1' }, area)).rejects.toThrow(NotFound);
  });

  it('an area of thousands of folders works like one of few', async () => {
    const locationRoots = [...Array.from({ length: 5_000 }, (_, index) => `F${index}`), 'L2'];
    expect(await codes('agua expediente', {}, { locationRoots })).toEqual(['ACTA']);
    expect(await codes('agua expediente', {}, { locationRoots: locationRoots.slice(0, -1) })).toEqual([]);
  });

  it('a search in a space is not found', async () => {
    await expect(search('agua', { spaceId: 1 })).rejects.toThrow(NotFound);
  });

  it('a search in a missing folder is not found', async () => {
    await expect(search('agua', { locationCode: 'L9' })).rejects.toThrow(NotFound);
  });

  it('an empty visible folder finds nothing; a hidden one is not found', async () => {
    const empty = { code: 'L8', ancestors: ['ROOT', 'L8'] };
    await publishLocation(retrieval, groupId, { ...empty, revision: 3 });
    expect(await search('agua', { locationCode: 'L8' })).toMatchObject({ documents: [], totalDocuments: 0 });
    for (const claims of [{ entities: ['E2'] }, { activeEntity: 'E2' }, { locationRoots: ['L2'] }])
      await expect(search('agua', { locationCode: 'L8' }, claims)).rejects.toThrow(NotFound);
    await publishLocation(retrieval, groupId, { ...empty, revision: 5, removed: true });
    await publishLocation(retrieval, groupId, { ...empty, revision: 4 });
    await expect(search('agua', { locationCode: 'L8' })).rejects.toThrow(NotFound);
    await publishLocation(retrieval, groupId, { ...empty, revision: 6 });
    expect(await codes('agua', { locationCode: 'L8' })).toEqual([]);
  });

  it('a folder whose only document was withdrawn is empty', async () => {
    const location = { locationCode: 'L3', locationAncestors: ['L3', 'ROOT'] };
    const { documentId } = await handOver(retrieval, { groupId, ...location, texts: ['Nota suelta.'] });
    expect(await codes('nota', { locationCode: 'L3' })).toHaveLength(1);
    await withdraw(retrieval, groupId, documentId, 2);
    expect(await codes('nota', { locationCode: 'L3' })).toEqual([]);
  });

  it('an entity outside of the focus is searched in its own folders', async () => {
    const outside = { entityCode: 'E2' };
    reached = ['L2'];
    expect(await codes('agua expediente', outside, { activeEntity: 'E1', locationRoots: ['L1'] })).toEqual(['ACTA']);
    reached = null;
    expect(await codes('agua expediente', outside, { activeEntity: 'E1', locationRoots: ['L1'] })).toEqual(['ACTA']);
    reached = ['L9'];
    expect(await codes('agua expediente', outside, { activeEntity: 'E1' })).toEqual([]);
    reached = undefined;
    await expect(search('agua', outside, { activeEntity: 'E1' })).rejects.toThrow(NotFound);
    await expect(search('agua', outside, { focusIsStale: true })).rejects.toThrow(ContextConflict);
  });

  it('an entity that the caller does not have is not found', async () => {
    await expect(search('agua', { entityCode: 'E9' })).rejects.toThrow(NotFound);
    await expect(search('agua', { entityCode: 'E2' }, { entities: ['E1'] })).rejects.toThrow(NotFound);
  });

  it.each([[{ documentTypes: ['INVOICE'] }], [{ attributes: ['COLOUR'] }], [{ characteristics: ['SIGNED'] }]])(
    'a filter with the codes %j matches nothing',
    async (filter) => {
      expect(await search('agua', { filter })).toMatchObject({ documents: [], totalDocuments: 0, totalChunks: 0 });
    },
  );

  it('a filter without codes narrows nothing', async () => {
    expect(await codes('agua', { filter: { documentTypes: [] } })).toContain('ACTA');
  });
});
