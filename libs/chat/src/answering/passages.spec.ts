import { countTokens } from '@acervo/analysis';
import type { FileHints, FoundChunk, FoundDocument } from '@acervo/contracts';
import { DEFAULT_PASSAGES, passagesOf } from './passages';

const chunk = (
  chunkNumber: number,
  text: string,
  page: number | null = 1,
  similarity: number | null = null,
): FoundChunk => ({
  ...{ text, page },
  extra: { chunkNumber, similarity },
});

const HINTS: FileHints = {
  ...{ homeVar: null, relativePath: 'a.pdf', path: '/a.pdf', origin: 'CARPETA' },
  ...{ isAbsolute: false, isPublicUrl: false, isCloudOnly: false },
};

const document = (code: string, ...chunks: readonly FoundChunk[]): FoundDocument => ({
  ...{ code, name: `${code}.pdf`, url: `https://acervo.example/${code}`, summary: '', location: '/', chunks },
  ...{ rrfScore: 0.5, maxSimilarity: null, rerankScore: null, fs: HINTS },
});

const passages = (...documents: readonly FoundDocument[]) => passagesOf({ documents });

describe('passages of a search', () => {
  it('the best passage of each document comes before a second one', () => {
    const found = passages(
      document('A', chunk(4, 'Fourth.'), chunk(9, 'Ninth.')),
      document('B', chunk(0, 'Zero.')),
      document('C', chunk(7, 'Seven.'), chunk(2, 'Two.')),
    );
    expect(found.map(({ number, documentCode, text }) => [number, documentCode, text])).toEqual([
      [1, 'A', 'Fourth.'],
      [2, 'B', 'Zero.'],
      [3, 'C', 'Seven.'],
      [4, 'A', 'Ninth.'],
      [5, 'C', 'Two.'],
    ]);
  });

  it('second passages of the first five documents come before the sixth document', () => {
    const found = passages(
      ...Array.from({ length: 10 }, (_, at) =>
        document(`D${String(at)}`, chunk(0, `First of ${String(at)}.`), chunk(5, `Second of ${String(at)}.`)),
      ),
    );
    expect(found.map(({ documentCode }) => documentCode)).toEqual(['D0', 'D1', 'D2', 'D3', 'D4', 'D0', 'D1', 'D2']);
  });

  it('neighbouring chunks are one passage in reading order', () => {
    const [first, second] = passages(
      document('A', chunk(3, 'Third.', 2, 0.4), chunk(8, 'Eighth.'), chunk(2, 'Second.', 2, 0.7)),
    );
    expect(first).toMatchObject({ chunkNumbers: [2, 3], text: 'Second.\n\nThird.', similarity: 0.7, page: 2 });
    expect(second).toMatchObject({ chunkNumbers: [8], similarity: null });
  });

  it('what two neighbours share stands once', () => {
    const shared = 'The rent is due on the first day of each month.';
    const [only] = passages(document('A', chunk(0, `Rent. ${shared}`), chunk(1, `${shared} Pets are allowed.`)));
    expect(only?.text).toBe(`Rent. ${shared} Pets are allowed.`);
  });

  it('neighbours on two pages stay two passages', () => {
    const found = passages(document('A', chunk(0, 'One.', 1), chunk(1, 'Two.', 2)));
    expect(found.map(({ page, text }) => [page, text])).toEqual([
      [1, 'One.'],
      [2, 'Two.'],
    ]);
  });

  it('passages and tokens stay within the limits', () => {
    const long = (word: string): string => `${word} says many words about the water of the valley. `.repeat(140);
    const found = passages(
      ...Array.from({ length: 20 }, (_, at) => document(`D${String(at)}`, chunk(0, long(`w${String(at)}`)))),
    );
    const tokens = found.map(({ text }) => countTokens(text)).reduce((sum, each) => sum + each, 0);
    expect(found.length).toBeGreaterThan(2);
    expect(tokens).toBeLessThanOrEqual(DEFAULT_PASSAGES.mostTokens);
    const short = Array.from({ length: 20 }, (_, at) => document(`D${String(at)}`, chunk(0, `Text ${String(at)}.`)));
    expect(passages(...short)).toHaveLength(DEFAULT_PASSAGES.most);
  });

  it('a first passage above the limit is cut behind a sentence', () => {
    const [only] = passages(document('A', chunk(0, 'The water of the valley flows to the mill. '.repeat(2_000))));
    expect(countTokens(only?.text ?? '')).toBeLessThanOrEqual(DEFAULT_PASSAGES.mostTokens);
    expect(only?.text).toMatch(/mill\.$/);
  });

  it('a text that two documents share is taken once', () => {
    expect(passages(document('A', chunk(0, 'Same.')), document('B', chunk(0, 'Same.')))).toHaveLength(1);
  });

  it('a passage knows the language of its text', () => {
    const [es, en] = passages(
      document('A', chunk(0, 'La renta se paga el primer día de cada mes.')),
      document('B', chunk(0, 'The rent is due on the first day of each month.')),
    );
    expect([es?.language, en?.language]).toEqual(['es', 'en']);
  });

  it('a lone surrogate becomes valid text, and blank chunks are left out', () => {
    const [only, ...others] = passages(document('A', chunk(0, 'a\ud800b'), chunk(5, ' \n ')));
    expect(only?.text.isWellFormed()).toBe(true);
    expect(others).toEqual([]);
  });

  it('chunks that repeat one letter are joined in linear time', () => {
    const text = 'a'.repeat(90_000);
    const [only] = passages(document('A', chunk(0, `${text}.`), chunk(1, `${text}!`)));
    expect(only).toBeDefined();
  });

  it('a search without documents has no passages', () => {
    expect(passages()).toEqual([]);
  });
});
