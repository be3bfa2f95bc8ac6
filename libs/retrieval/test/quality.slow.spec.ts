import { randomUUID } from 'node:crypto';
import { chunk, plainText } from '@acervo/analysis';
import type { ExplainedDocument } from '@acervo/contracts';
import { handOver, userScope } from './documents';
import { type JudgedQuery, judgedTexts } from './judged-texts';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
const { documents, queries } = judgedTexts();
let retrieval: Retrieval;

beforeAll(async () => {
  retrieval = await openRetrieval();
  for (const [index, { code, text }] of documents.entries()) {
    const chunks = chunk(plainText(text));
    const [language, texts] = [chunks[0]?.language ?? 'none', chunks.map((each) => each.text)];
    await handOver(retrieval, { groupId, code, name: `${'xyz'.repeat(1 + (index % 3))}.txt`, language, texts });
  }
});
afterAll(() => retrieval.close());

type Ranking = readonly string[];

/** nDCG@10 with linear gain. */
const ndcg = (ranking: Ranking, judged: JudgedQuery['judged']): number => {
  const gain = (scores: readonly number[]): number =>
    scores.slice(0, 10).reduce((sum, score, place) => sum + score / Math.log2(place + 2), 0);
  return gain(ranking.map((code) => judged.get(code) ?? 0)) / gain([...judged.values()].sort((a, b) => b - a));
};

const byLeg = (found: readonly ExplainedDocument[], rank: 'lexicalRank' | 'vectorRank'): Ranking =>
  found
    .map(({ code, chunks }) => ({ code, best: Math.min(...chunks.map((each) => each[rank] ?? Infinity)) }))
    .filter(({ best }) => best < Infinity)
    .sort((a, b) => a.best - b.best)
    .map(({ code }) => code);

/** The mean nDCG@10 of each leg and of the fusion over some of the queries. */
const measured = async (some: readonly JudgedQuery[]) => {
  const sums = { lexical: 0, vector: 0, fused: 0 };
  for (const { text, judged } of some) {
    const request = { query: text, limit: 100, minSimilarity: 0 };
    const { documents: found } = await retrieval.explainWith().explain(userScope(groupId), request);
    sums.lexical += ndcg(byLeg(found, 'lexicalRank'), judged) / some.length;
    sums.vector += ndcg(byLeg(found, 'vectorRank'), judged) / some.length;
    sums.fused +=
      ndcg(
        found.map(({ code }) => code),
        judged,
      ) / some.length;
  }
  return sums;
};

const isFile = ({ text }: JudgedQuery): boolean => text.startsWith('2024/');

describe('the quality of search on generated texts', () => {
  it.each([
    ['Spanish', queries.filter((query) => query.text.startsWith('¿')), 0.89],
    ['English', queries.filter((query) => query.text.startsWith('who')), 0.92],
  ])('%s questions in other word forms reach their nDCG floor', async (_language, asked, floor) => {
    expect(asked).toHaveLength(40);
    const { lexical, fused } = await measured(asked);
    expect(lexical).toBeGreaterThanOrEqual(floor);
    expect(fused).toBeGreaterThanOrEqual(floor);
    expect(fused).toBeGreaterThanOrEqual(lexical - 0.01);
  });

  it('file numbers reach a perfect score', async () => {
    const asked = queries.filter(isFile);
    expect(asked).toHaveLength(20);
    const { lexical, fused } = await measured(asked);
    expect([lexical, fused].map((score) => score.toFixed(6))).toEqual(['1.000000', '1.000000']);
  });
});
