import fc from 'fast-check';
import { HashingEmbedder, vectorBytes } from '@acervo/models';
import { filledIn, passagesOf, planVectors } from './vector-plan';

const chunksOf = (texts: readonly string[]): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      chunks: texts.map((text, ordinal) => ({
        ...{ ordinal, page: null, start: 0, end: text.length, text, language: 'es' },
        context: ordinal % 2 === 0 ? '' : 'Riego',
      })),
    }),
  );
const embedder = new HashingEmbedder();
const { dimension } = embedder.embeddingModel;
const texts = fc.array(fc.constantFrom('uno', 'dos', 'tres', 'cuatro', 'cinco'), { maxLength: 8 });
const vectorsOf = async (chunks: Uint8Array): Promise<Uint8Array> =>
  vectorBytes(await embedder.embed(passagesOf(chunks)));

describe('a plan of vectors', () => {
  it('each new text is embedded once, with a complete result', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, async (before, now) => {
        const [old, chunks] = [chunksOf(before), chunksOf(now)];
        const plan = planVectors(chunks, dimension, { chunks: old, vectors: await vectorsOf(old) });
        const passages = new Set(passagesOf(old));
        expect(plan.texts).toEqual([...new Set(passagesOf(chunks))].filter((text) => !passages.has(text)));
        const made = filledIn(plan, await embedder.embed(plan.texts));
        expect(Buffer.from(made).equals(Buffer.from(await vectorsOf(chunks)))).toBe(true);
      }),
    );
  });

  it('vectors that do not match their passages are ignored', async () => {
    const chunks = chunksOf(['uno', 'dos']);
    const other = { chunks, vectors: await vectorsOf(chunksOf(['uno'])) };
    expect(planVectors(chunks, dimension, other).texts).toEqual(planVectors(chunks, dimension, null).texts);
  });

  it('vectors of another dimension are refused', () => {
    const plan = planVectors(chunksOf(['uno']), dimension, null);
    expect(() => filledIn(plan, [new Float32Array(3)])).toThrow('vectors of another dimension');
    expect(() => filledIn(plan, [])).toThrow('vectors of another dimension');
  });
});
