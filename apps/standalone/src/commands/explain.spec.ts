import type { Explanation } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { AdminCommandFailed } from '@acervo/platform-service';
import { explanationLines, printExplanation } from './explain';

const explanation: Explanation = {
  ...{ model: 'hashing', terms: 'pump' },
  features: [
    { name: 'meaning', value: 0 },
    { name: 'isIdentified', value: 1 },
  ],
  legs: [
    { leg: 'lexical', answered: true, chunks: 3, weight: 1, k: 6 },
    { leg: 'vector', answered: false, chunks: 0, weight: 0.03, k: 6 },
  ],
  documents: Array.from({ length: 12 }, (_, at) => ({
    ...{ code: `D${at}`, name: `pump ${at}.txt`, rank: at + 1, score: 1 / (7 + at), removedBy: null },
    chunks: [{ chunkNumber: 0, lexicalRank: at + 1, vectorRank: null, cosine: null, score: 1 / (7 + at) }],
  })),
};

describe('the printed explanation', () => {
  it('features, weights and ranks are printed', () => {
    const lines = explanationLines(explanation);
    expect(lines.slice(0, 4)).toEqual([
      'Terms: pump',
      'Seen: meaning 0.00, isIdentified 1.00',
      'words: weight 1.00, k 6, 3 passages',
      'vectors: no answer',
    ]);
    expect(lines[5]).toBe('    1  0.1429     1     -  pump 0.txt');
    expect(lines).toHaveLength(15);
  });

  it('an installation without documents says so', () => {
    expect(explanationLines({ ...explanation, legs: [], documents: [] })).toEqual(['No document can be found yet.']);
  });

  it('a question without a key is refused before any call', async () => {
    const calls = Object.create(Calls.prototype) as Calls;
    await expect(printExplanation(calls, 'pump', undefined, () => undefined)).rejects.toBeInstanceOf(
      AdminCommandFailed,
    );
  });
});
