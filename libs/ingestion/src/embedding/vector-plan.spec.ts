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
const { dimension } = embedder.space;
const texts = fc.array(fc.constantFrom('uno', 'dos', 'tres', 'cuatro', 'cinco'), { maxLength: 8 });
const vectorsOf = async (chunks: Uint8Array): Promise<Uint8Array> =>
  vectorBytes(await embedder.embed(passagesOf(chunks)));

describe('a plan of vectors', () => {
  it('embeds each text that is new once, and ends in the vectors of a fresh embedding', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, async (before, now) => {
        const [old, chunks] = [chunksOf(before), chunksOf(now)];
        const plan = planVectors(chunks, dimension, { chunks: old, vectors: await vectorsOf(old) });
        const known = new Set(passagesOf(old));
        expect(plan.texts).toEqual([...new Set(passagesOf(chunks))].filter((text) => !known.has(text)));
        const made = filledIn(plan, await embedder.embed(plan.texts));
        expect(Buffer.from(made).equals(Buffer.from(await vectorsOf(chunks)))).toBe(true);
      }),
    );
  });

  it('takes no vectors that do not belong to their passages', async () => {
    const chunks = chunksOf(['uno', 'dos']);
    const other = { chunks, vectors: await vectorsOf(chunksOf(['uno'])) };
    expect(planVectors(chunks, dimension, other).texts).toEqual(planVectors(chunks, dimension, null).texts);
  });

  it('refuses what an embedder gave of another size', () => {
    const plan = planVectors(chunksOf(['uno']), dimension, null);
    expect(() => filledIn(plan, [new Float32Array(3)])).toThrow('other vectors');
    expect(() => filledIn(plan, [])).toThrow('other vectors');
  });
});
