import fc from 'fast-check';
import type { RankedChunk } from '../legs/ranking';
import { chunkKey, type FusedChunk, fuse, groupByDocument, type WeightedLeg } from './fusion';
import type { FusionFeatures } from './fusion-features';
import { fusionOf, vectorWeight, weighted } from './fusion-settings';

const chunk = (documentId: string, ordinal = 0): RankedChunk => ({ documentId, ordinal });

const ranking = fc.uniqueArray(
  fc.record({ documentId: fc.constantFrom('a', 'b', 'c', 'd', 'e'), ordinal: fc.nat({ max: 9 }) }),
  { selector: chunkKey, maxLength: 30 },
);
const leg: fc.Arbitrary<WeightedLeg> = fc.record({
  ranking,
  weight: fc.constantFrom(0.05, 0.5, 1, 2),
  k: fc.integer({ min: 1, max: 100 }),
});

const features: fc.Arbitrary<FusionFeatures> = fc.record({
  meaning: fc.double({ min: 0, max: 1, noNaN: true }),
  isIdentified: fc.boolean(),
  foreign: fc.double({ min: 0, max: 1, noNaN: true }),
  standout: fc.double({ min: 0, max: 15, noNaN: true }),
});
/** A usual question to an embedder that knows meaning. */
const question: FusionFeatures = { meaning: 1, isIdentified: false, foreign: 0, standout: 4 };
const settings = fusionOf(question);

const closeTo = (a: number, b: number): boolean => Math.abs(a - b) < 1e-12;

describe('fusion of rankings', () => {
  it('the order of the legs does not change the fusion', () => {
    fc.assert(
      fc.property(leg, leg, (one, other) => {
        expect(fuse([one, other])).toEqual(fuse([other, one]));
      }),
    );
  });

  it('fusion returns every chunk of every leg once', () => {
    fc.assert(
      fc.property(fc.array(leg, { maxLength: 3 }), (legs) => {
        const rankedKeys = new Set(legs.flatMap((each) => each.ranking.map(chunkKey)));
        const fused = fuse(legs).map(chunkKey);
        expect(new Set(fused)).toEqual(rankedKeys);
        expect(fused).toHaveLength(rankedKeys.size);
      }),
    );
  });

  it('a score adds weight / (k + rank) over the legs, rank from 1', () => {
    fc.assert(
      fc.property(fc.array(leg, { maxLength: 3 }), (legs) => {
        for (const fused of fuse(legs)) {
          const expected = legs.reduce((sum, each) => {
            const rank = each.ranking.findIndex((hit) => chunkKey(hit) === chunkKey(fused));
            return rank < 0 ? sum : sum + each.weight / (each.k + rank + 1);
          }, 0);
          expect(closeTo(fused.score, expected)).toBe(true);
        }
      }),
    );
  });

  it('fused chunks come best first, ties by document, then by ordinal', () => {
    fc.assert(
      fc.property(fc.array(leg, { maxLength: 3 }), (legs) => {
        const fused = fuse(legs);
        fused.slice(1).forEach((right, index) => {
          const left = fused[index];
          if (left === undefined) throw new Error('Every chunk but the first has one before it.');
          const key = `${left.documentId}:${left.ordinal}`;
          expect(left.score > right.score || (left.score === right.score && key < chunkKey(right))).toBe(true);
        });
      }),
    );
  });

  it('equal scores put the smaller document first, then the smaller ordinal', () => {
    const legs = [chunk('b', 1), chunk('a', 2), chunk('a', 10), chunk('a', 9)].map((hit) => ({
      ranking: [hit],
      weight: 1,
      k: 10,
    }));
    expect(fuse(legs).map(chunkKey)).toEqual(['a:2', 'a:9', 'a:10', 'b:1']);
  });

  it('a single leg keeps its order under any weight and k', () => {
    fc.assert(
      fc.property(leg, (only) => {
        expect(fuse([only, { ranking: [], weight: 1, k: 10 }]).map(chunkKey)).toEqual(only.ranking.map(chunkKey));
      }),
    );
  });
});

describe('the weight of the vector leg', () => {
  const IN_ORDER = 9;

  it.each([
    ['vectors hold no meaning', { meaning: 0, isIdentified: false }],
    ['the best match by words has the identifier', { meaning: 1, isIdentified: true }],
  ])('the first nine by words keep their order where %s', (_, over) => {
    fc.assert(
      fc.property(ranking, ranking, features, (words, meanings, seen) => {
        const best = fuse(weighted({ lexical: words, vector: meanings }, fusionOf({ ...seen, ...over })));
        expect(best.slice(0, IN_ORDER).slice(0, words.length).map(chunkKey)).toEqual(
          words.slice(0, IN_ORDER).map(chunkKey),
        );
      }),
    );
  });

  it('more meaning, foreign hits and standing out never weigh less', () => {
    const more = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(features, more, (seen, by) => {
        const asked = { ...seen, isIdentified: false, meaning: 1 };
        const weight = vectorWeight(asked);
        expect(vectorWeight({ ...asked, foreign: Math.min(1, asked.foreign + by) })).toBeGreaterThanOrEqual(weight);
        expect(vectorWeight({ ...asked, standout: asked.standout + by })).toBeGreaterThanOrEqual(weight);
        const poorer = { ...asked, meaning: Math.max(0, 1 - by) };
        expect(vectorWeight(poorer)).toBeLessThanOrEqual(weight + 1e-12);
      }),
    );
  });

  it('every weight is finite and leaves both legs a voice', () => {
    fc.assert(
      fc.property(features, (seen) => {
        const weight = vectorWeight(seen);
        expect(weight).toBeGreaterThan(0);
        expect(weight).toBeLessThanOrEqual(12);
      }),
    );
  });

  it('foreign hits weigh more than the lexical leg', () => {
    expect(vectorWeight({ ...question, foreign: 1 })).toBeGreaterThan(3);
  });
});

describe('fusion while some documents lack vectors', () => {
  const documentsOf = (hits: readonly RankedChunk[]): Set<string> => new Set(hits.map(({ documentId }) => documentId));

  it('without any vector the order is that of the words', () => {
    fc.assert(
      fc.property(ranking, (words) => {
        const legs = weighted({ lexical: words, vector: [] }, settings, documentsOf(words));
        expect(fuse(legs).map(chunkKey)).toEqual(words.map(chunkKey));
      }),
    );
  });

  it('with every vector, and without an answer of the vector leg, nothing is added', () => {
    fc.assert(
      fc.property(ranking, ranking, (words, meanings) => {
        const complete = { lexical: words, vector: meanings };
        expect(fuse(weighted(complete, settings, new Set()))).toEqual(fuse(weighted(complete, settings)));
        const down = { lexical: words, vector: null };
        expect(fuse(weighted(down, settings, documentsOf(words)))).toEqual(fuse(weighted(down, settings)));
      }),
    );
  });

  it('the best match by words stays first when it alone lacks its vector', () => {
    fc.assert(
      fc.property(ranking, ranking, (words, meanings) => {
        const [first] = words;
        fc.pre(first !== undefined);
        const others = meanings.filter(({ documentId }) => documentId !== first?.documentId);
        // A chunk that is second by words and first by meaning is at most as good.
        const legs = weighted({ lexical: words, vector: others }, settings, documentsOf([first]));
        const best = fuse(legs)[0]?.score ?? 0;
        const ownScore = fuse(legs).find((hit) => chunkKey(hit) === chunkKey(first))?.score;
        expect(ownScore).toBeCloseTo(best, 10);
      }),
    );
  });
});

describe('grouping by document', () => {
  const fused = fc.array(leg, { maxLength: 3 }).map((legs) => fuse(legs));

  it('a document shows at most its five best chunks, in order', () => {
    fc.assert(
      fc.property(fused, (chunks) => {
        for (const document of groupByDocument(chunks)) {
          const ownChunks = chunks.filter(({ documentId }) => documentId === document.documentId);
          expect(document.chunks).toEqual(ownChunks.slice(0, 5));
        }
      }),
    );
  });

  it('documents take order and score of their best chunk', () => {
    fc.assert(
      fc.property(fused, (chunks) => {
        const documents = groupByDocument(chunks);
        const firsts = [...new Set(chunks.map(({ documentId }) => documentId))];
        expect(documents.map(({ documentId }) => documentId)).toEqual(firsts);
        for (const { score, chunks: ranked } of documents) expect(score).toBe(ranked[0]?.score);
      }),
    );
  });

  it('a smaller limit of chunks shows fewer of them', () => {
    const chunks: FusedChunk[] = [3, 2, 1].map((score, ordinal) => ({ documentId: 'a', ordinal, score }));
    expect(groupByDocument(chunks, 2)).toEqual([{ documentId: 'a', score: 3, chunks: chunks.slice(0, 2) }]);
  });

  it('an empty ranking has no documents', () => {
    expect(groupByDocument(fuse([]))).toEqual([]);
  });
});
