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
});
afterAll(() => retrieval.close());

const search = (legs: ReplacedLegs, minSimilarity = 0): Promise<SearchResult> =>
  retrieval.searchWith(legs).search(userScope(groupId), { query: 'depósito de agua', limit: 10, minSimilarity });

describe('a search with a leg that is down', () => {
  it('without the lexical leg the vector leg answers', async () => {
    const { documents } = await search({ lexical });
    expect(documents[0]).toMatchObject({ code: 'AGUA' });
    expect(documents[0]?.maxSimilarity).toBeGreaterThan(0);
  });

  it('without the vector leg hits have no similarity', async () => {
    const { documents } = await search({ vector });
    expect(documents).toMatchObject([{ code: 'AGUA', maxSimilarity: null, chunks: [{ extra: { similarity: null } }] }]);
  });

  it('min_similarity applies without the lexical leg', async () => {
    expect((await search({ lexical }, 0.3)).documents.map(({ code }) => code)).toEqual(['AGUA']);
  });

  it('without both legs the search is unavailable', async () => {
    await expect(search({ lexical, vector })).rejects.toThrow(SearchUnavailable);
    await expect(search({ lexical, vector }, 0.3)).rejects.toThrow(SearchUnavailable);
  });

  it('min_similarity without the vector leg is refused', async () => {
    await expect(search({ vector }, 0.3)).rejects.toThrow(SimilarityUnavailable);
  });

  it('min_similarity drops hits that only words found', async () => {
    const empty = { vector: new EmptyVectorIndex() };
    expect((await search(empty)).documents).toHaveLength(1);
    expect((await search(empty, 0.01)).documents).toEqual([]);
  });

  it('the log of an outage does not contain the query', async () => {
    retrieval.lines.length = 0;
    await search({ lexical });
    expect(retrieval.lines).toHaveLength(1);
    expect(retrieval.lines[0]).toContain('a leg is down');
    expect(retrieval.lines[0]).not.toMatch(/dep[oó]sit/i);
  });
});
