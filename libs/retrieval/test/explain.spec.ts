import { randomUUID } from 'node:crypto';
import { type ExplainedDocument, type ExplainRequest, type Explanation, NotFound } from '@acervo/contracts';
import { Embedders, HashingEmbedder } from '@acervo/models';
import { VectorIndex } from '../src/legs/ranking';
import { ExplainHandlers } from '../src/search/explain.handlers';
import { handOver, userScope } from './documents';
import { openRetrieval, type Retrieval } from './support';

/** The built-in embedder, taken for one that knows meaning. */
class MeaningfulEmbedder extends HashingEmbedder {
  override readonly meaning = 1;
}

const groupId = randomUUID();
let retrieval: Retrieval;

beforeAll(async () => {
  retrieval = await openRetrieval();
  const texts = {
    POZO: ['El pozo nuevo da agua al depósito.', 'La bomba del pozo se revisa en marzo.'],
    RIEGO: ['El turno de riego empieza en junio; el agua viene del pozo.'],
    ACTA: ['Acta de la comunidad: se aprueba la cuota anual.'],
  };
  for (const [code, chunks] of Object.entries(texts)) await handOver(retrieval, { groupId, code, texts: chunks });
  await handOver(retrieval, { groupId, code: 'OCULTO', entityCode: 'E9', texts: ['El pozo secreto.'] });
});
afterAll(() => retrieval.close());

const explain = (query: string, over: Partial<ExplainRequest> = {}): Promise<Explanation> =>
  retrieval.explainWith().explain(userScope(groupId), { query, limit: 10, minSimilarity: 0, ...over });
const search = (query: string, limit: number) =>
  retrieval.searchWith().search(userScope(groupId), { query, limit, minSimilarity: 0 });
const of = ({ documents }: Explanation, code: string): ExplainedDocument | undefined =>
  documents.find((document) => document.code === code);

describe('an explanation', () => {
  it('an explanation lists the documents of the search with their scores', async () => {
    const found = (await search('agua del pozo', 10)).documents;
    const explained = (await explain('agua del pozo')).documents.filter(({ removedBy }) => removedBy === null);
    expect(explained.map(({ code, score }) => [code, score])).toEqual(
      found.map(({ code, rrfScore }) => [code, rrfScore]),
    );
  });

  it('explained ranks add up to their score: weight / (k + rank)', async () => {
    const { legs, documents } = await explain('agua del pozo');
    const worth = (leg: string, rank: number | null): number => {
      const settings = legs.find((each) => each.leg === leg);
      return rank === null || settings === undefined ? 0 : settings.weight / (settings.k + rank);
    };
    for (const { chunkNumber, lexicalRank, vectorRank, score } of documents.flatMap(({ chunks }) => chunks)) {
      expect(chunkNumber).toBeGreaterThanOrEqual(0);
      expect(worth('lexical', lexicalRank) + worth('vector', vectorRank)).toBeCloseTo(score, 12);
    }
    expect(legs).toMatchObject([
      { leg: 'lexical', answered: true, chunks: 3 },
      { leg: 'vector', answered: true, chunks: 4 },
    ]);
  });

  it('an explanation shows what was seen of the query', async () => {
    const other = randomUUID();
    for (const code of ['PPR-9087', 'PPR-9088'])
      await handOver(retrieval, { groupId: other, code, language: 'es', texts: [`El expediente ${code} del pozo.`] });
    const request = { query: 'what does PPR-9087 say about the well?', limit: 10, minSimilarity: 0 };
    const embedders = new Embedders(new MeaningfulEmbedder(), []);
    const handlers = await retrieval.provider(ExplainHandlers, { embedders });
    const { features = [], legs, documents } = await handlers.explain(userScope(other), request);
    const seen = Object.fromEntries(features.map(({ name, value }) => [name, value]));
    expect(seen).toEqual({ meaning: 1, isIdentified: 1, foreign: 1, standout: expect.any(Number) as number });
    expect(legs.map(({ weight }) => weight)).toEqual([1, 0.03]);
    expect(documents[0]?.code).toBe('PPR-9087');
  });

  it('a document found by similarity alone has no lexical rank', async () => {
    const acta = of(await explain('pozo'), 'ACTA');
    expect(acta?.chunks).toMatchObject([{ lexicalRank: null, vectorRank: expect.any(Number) as number }]);
  });

  it('an explanation lists documents removed by limit and by least similarity', async () => {
    const limited = await explain('agua del pozo', { limit: 1 });
    expect(limited.documents.map(({ removedBy }) => removedBy)).toEqual([null, 'LIMIT', 'LIMIT']);
    const similar = await explain('agua del pozo', { minSimilarity: 1 });
    expect(new Set(similar.documents.map(({ removedBy }) => removedBy))).toEqual(new Set(['MIN_SIMILARITY']));
  });

  it('a document requested by its code is reported as unranked', async () => {
    const down = new (class extends VectorIndex {
      readonly engine = 'test';
      rank = () => Promise.reject(new Error('down'));
    })();
    const { legs, documents } = await retrieval
      .explainWith({ vector: down })
      .explain(userScope(groupId), { query: 'pozo', limit: 10, minSimilarity: 0, documentCodes: ['ACTA', 'POZO'] });
    expect(legs[1]).toMatchObject({ answered: false, chunks: 0 });
    expect(documents).toMatchObject([
      { code: 'POZO', removedBy: null },
      { code: 'ACTA', removedBy: 'NOT_RANKED', rank: null, score: 0, chunks: [] },
    ]);
  });

  it('a hidden document is explained as a missing one', async () => {
    const { documents } = await explain('pozo', { documentCodes: ['OCULTO', 'NO-HAY'] });
    expect(documents).toEqual([]);
    await expect(explain('pozo', { locationCode: 'NO-HAY' })).rejects.toBeInstanceOf(NotFound);
  });
});
