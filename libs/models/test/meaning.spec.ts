import { type EmbeddingKind, Embedder, type EmbeddingModel, HashingEmbedder, measureMeaning } from '../src';

const embeddingModel: EmbeddingModel = { model: 'test', revision: '1', dimension: 64, floor: 0 };

/** Texts of the probe stand in pairs. This embedder gives both of a pair one direction, with some noise. */
class PairEmbedder extends Embedder {
  readonly embeddingModel = embeddingModel;
  readonly asked: { readonly texts: number; readonly kind: EmbeddingKind }[] = [];

  /** @param knows the share of pairs that it understands */
  constructor(private readonly knows: (pair: number) => boolean) {
    super();
  }

  embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    this.asked.push({ texts: texts.length, kind });
    return Promise.resolve(
      texts.map((_, index) => {
        const pair = index >> 1;
        const vector = new Float32Array(2 * texts.length);
        vector[this.knows(pair) ? pair : texts.length + index] = 1;
        return vector;
      }),
    );
  }
}

describe('the measure of meaning', () => {
  it('the built-in embedder has none, as it declares', async () => {
    const embedder = new HashingEmbedder();
    expect(await measureMeaning(embedder)).toBe(0);
    expect(embedder.meaning).toBe(0);
  });

  it('an embedder that understands every pair has all of it, from one request', async () => {
    const embedder = new PairEmbedder(() => true);
    expect(await measureMeaning(embedder)).toBe(1);
    expect(embedder.asked).toEqual([{ texts: 48, kind: 'query' }]);
  });

  it('one language is enough', async () => {
    expect(await measureMeaning(new PairEmbedder((pair) => pair >= 12))).toBe(1);
  });

  it('an embedder that understands most pairs lies between', async () => {
    const meaning = await measureMeaning(new PairEmbedder((pair) => pair % 3 !== 0));
    expect(meaning).toBeGreaterThan(0);
    expect(meaning).toBeLessThan(1);
  });

  it('vectors that are all the same hold no meaning', async () => {
    const same = new (class extends PairEmbedder {
      override embed(texts: readonly string[]): Promise<Float32Array[]> {
        return Promise.resolve(texts.map(() => new Float32Array(64).fill(1 / 8)));
      }
    })(() => true);
    expect(await measureMeaning(same)).toBe(0);
  });
});
