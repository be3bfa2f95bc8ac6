import type { QueryWords } from '@acervo/analysis';
import type { RankedVector } from '../legs/ranking';
import type { ChunkEvidence } from './evidence.store';
import { evidenced, featuresOf, LANGUAGES_READ, type Seen } from './fusion-features';

const hit = (documentId: string, cosine = 0.8): RankedVector => ({ documentId, ordinal: 0, cosine });
const evidence = (documentId: string, language: string, terms: readonly string[] = []): ChunkEvidence => ({
  ...{ documentId, ordinal: 0, language, terms },
});
const words: QueryWords = { language: 'en', terms: ['pump', 'pprz2dz9087'], identifiers: ['pprz2dz9087'] };
const seen = (over: Partial<Seen> = {}): Seen => ({
  ...{ words, lexical: [hit('a')], vector: [hit('a', 0.9), hit('b', 0.7)], meaning: 1, evidence: [] },
  ...over,
});

describe('the features of a query', () => {
  it('the best match by words with every identifier makes the query identified', () => {
    const having = (terms: readonly string[]): boolean =>
      featuresOf(seen({ evidence: [evidence('a', 'en', terms), evidence('b', 'en', ['pprz2dz9087'])] })).isIdentified;
    expect(having(['pump', 'pprz2dz9087'])).toBe(true);
    expect(having(['pump'])).toBe(false);
  });

  it('a query without identifiers is never identified', () => {
    const without = { ...words, identifiers: [] };
    expect(featuresOf(seen({ words: without, evidence: [evidence('a', 'en')] })).isIdentified).toBe(false);
  });

  it('hits in another language than the query are foreign', () => {
    const read = [evidence('a', 'es'), evidence('b', 'en')];
    expect(featuresOf(seen({ evidence: read })).foreign).toBe(0.5);
    expect(featuresOf(seen({ evidence: [evidence('a', 'none'), evidence('b', 'en')] })).foreign).toBe(0);
    expect(featuresOf(seen({ words: { ...words, language: null }, evidence: read })).foreign).toBe(0);
  });

  it('nothing is foreign where the best match by words has every term', () => {
    const foreignWith = (terms: readonly string[]): number =>
      featuresOf(seen({ evidence: [evidence('a', 'es', terms), evidence('b', 'es')] })).foreign;
    expect([foreignWith(['pump', 'pprz2dz9087', 'agua']), foreignWith(['pump'])]).toEqual([0, 1]);
  });

  it('standing out does not depend on the scale of cosines', () => {
    const cosines = [0.9, 0.5, 0.4, 0.4];
    const of = (scale: number, shift: number): number =>
      featuresOf(seen({ vector: cosines.map((cosine, at) => hit(String(at), cosine * scale + shift)) })).standout;
    expect(of(0.2, 0.7)).toBeCloseTo(of(1, 0), 10);
    expect(of(1, 0)).toBeGreaterThan(1);
  });

  it('legs without an answer have features without evidence', () => {
    expect(featuresOf(seen({ lexical: null, vector: null, meaning: 0 }))).toEqual({
      ...{ meaning: 0, isIdentified: false, foreign: 0, standout: 0 },
    });
    expect(evidenced({ lexical: null, vector: null, meaning: 1 })).toEqual([]);
  });

  it('evidence is read once for a chunk that both legs rank', () => {
    const many = Array.from({ length: 30 }, (_, at) => hit(`v${at}`));
    const ranked = { lexical: [hit('a'), hit('b')], vector: [hit('a'), ...many] };
    expect(evidenced({ ...ranked, meaning: 1 })).toHaveLength(LANGUAGES_READ);
  });

  it('no evidence is read where vectors hold no meaning', () => {
    expect(evidenced({ lexical: [hit('a')], vector: [hit('a')], meaning: 0 })).toEqual([]);
  });
});
