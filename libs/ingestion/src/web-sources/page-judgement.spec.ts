import type { Candidate } from '../web/research-state';
import { explained, judgementOf, readJudgement } from './page-judgement';

const candidate = (url: string, score: number): Candidate => ({
  ...{ url, score, title: url, language: 'en', excerpt: '', depth: 1, terms: [] },
});
const CANDIDATES = [candidate('https://a.example/1', 0.8), candidate('https://a.example/2', 0.6)];
const answer = (...pages: readonly object[]): string => JSON.stringify({ pages });
const judged = (url: string, relevance: number, why = 'It fits.'): object => ({ url, relevance, why });

describe('what a model says about pages', () => {
  it('an answer may name the shown addresses alone', () => {
    const { schema } = judgementOf(CANDIDATES.map(({ url }) => url));
    expect(JSON.stringify(schema)).toContain('"enum":["https://a.example/1","https://a.example/2"]');
    const read = readJudgement(answer(judged('https://b.example/', 1), judged('https://a.example/2', 1)), CANDIDATES);
    expect([...(read?.keys() ?? [])]).toEqual(['https://a.example/2']);
  });

  it('the first mention of a page counts', () => {
    const read = readJudgement(answer(judged('https://a.example/1', 1), judged('https://a.example/1', 0)), CANDIDATES);
    expect(read?.get('https://a.example/1')?.relevance).toBe(1);
  });

  it.each(['no JSON', '{}', answer({ url: 'https://a.example/1' }), answer(judged('https://a.example/1', 7))])(
    '%s is no answer',
    (text) => {
      expect(readJudgement(text, CANDIDATES)).toBeUndefined();
    },
  );

  it('a page that is left out comes last', () => {
    const read = readJudgement(answer(judged('https://a.example/2', 0.9)), CANDIDATES) ?? new Map();
    expect(explained(CANDIDATES, read)).toMatchObject([
      { url: 'https://a.example/2', score: 0.75, why: 'It fits.' },
      { url: 'https://a.example/1', score: 0.4, why: null },
    ]);
  });

  it.each(['See http://b.example', '<b>bold</b>', '[here](x)', ' '])('the reason %j is left out', (why) => {
    const read = readJudgement(answer(judged('https://a.example/1', 1, why)), CANDIDATES) ?? new Map();
    expect(explained(CANDIDATES, read)[0]).toMatchObject({ url: 'https://a.example/1', why: null });
  });
});
