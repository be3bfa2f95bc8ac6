import { randomUUID } from 'node:crypto';
import type { SearchResult } from '@acervo/contracts';
import { LexicalIndex, type RankedChunk, type RankedVector, VectorIndex } from '../src/legs/ranking';
import { SearchUnavailable, SimilarityUnavailable } from '../src/search/search.errors';
import { handOver, userScope } from './documents';
import { openRetrieval, type ReplacedLegs, type Retrieval } from './support';

class NoLexicalIndex extends LexicalIndex {
  readonly engine = 'test';
  rank(): Promise<readonly RankedChunk[]> {
    return Promise.reject(new Error('The lexical leg is down.'));
  }
}

class NoVectorIndex extends VectorIndex {
  readonly engine = 'test';
  rank(): Promise<readonly RankedVector[]> {
    return Promise.reject(new Error('The vector leg is down.'));
  }
}

class EmptyVectorIndex extends VectorIndex {
  readonly engine = 'test';
  rank(): Promise<readonly RankedVector[]> {
    return Promise.resolve([]);
  }
}

const groupId = randomUUID();
const [lexical, vector] = [new NoLexicalIndex(), new NoVectorIndex()];
let retrieval: Retrieval;

beforeAll(async () => {
  retrieval = await openRetrieval();
  await handOver(retrieval, { groupId, code: 'AGUA', texts: ['El depósito de agua se amplía.'] });
  await handOver(retrieval, { groupId, code: 'LUZ', texts: ['La red eléctrica se renueva.'] });
}, 60_000);
afterAll(() => retrieval.close(), 30_000);

const search = (legs: ReplacedLegs, minSimilarity = 0): Promise<SearchResult> =>
  retrieval.searchWith(legs).search(userScope(groupId), { query: 'depósito de agua', limit: 10, minSimilarity });

describe('a search with a leg that is down', () => {
  it('answers from the vector leg without the lexical one', async () => {
    const { documents } = await search({ lexical });
    expect(documents[0]).toMatchObject({ code: 'AGUA' });
    expect(documents[0]?.maxSimilarity).toBeGreaterThan(0);
  });

  it('answers from the lexical leg without the vector one, and knows no similarity', async () => {
    const { documents } = await search({ vector });
    expect(documents).toMatchObject([{ code: 'AGUA', maxSimilarity: null, chunks: [{ extra: { similarity: null } }] }]);
  });

  it('still applies min_similarity without the lexical one', async () => {
    expect((await search({ lexical }, 0.3)).documents.map(({ code }) => code)).toEqual(['AGUA']);
  });

  it('is unavailable without both', async () => {
    await expect(search({ lexical, vector })).rejects.toThrow(SearchUnavailable);
    await expect(search({ lexical, vector }, 0.3)).rejects.toThrow(SearchUnavailable);
  });

  it('cannot apply min_similarity without the vector one, and says so', async () => {
    await expect(search({ vector }, 0.3)).rejects.toThrow(SimilarityUnavailable);
  });

  it('drops with min_similarity what was found by words alone', async () => {
    const empty = { vector: new EmptyVectorIndex() };
    expect((await search(empty)).documents).toHaveLength(1);
    expect((await search(empty, 0.01)).documents).toEqual([]);
  });

  it('is logged without what was searched', async () => {
    retrieval.lines.length = 0;
    await search({ lexical });
    expect(retrieval.lines).toHaveLength(1);
    expect(retrieval.lines[0]).toContain('a leg is down');
    expect(retrieval.lines[0]).not.toMatch(/dep[oó]sit/i);
  });
});
