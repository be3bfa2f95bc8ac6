import { cosine, type Embedder } from '../src';

/** Behaviour of every embedder, independent of its implementation. */
export const behavesLikeAnEmbedder = (name: string, open: () => Promise<Embedder>): void =>
  describe(`the ${name} embedder`, () => {
    let embedder: Embedder;
    const embed = async (...texts: string[]): Promise<Float32Array[]> => embedder.embed(texts, 'passage');
    beforeAll(async () => {
      embedder = await open();
    });

    it('each text gets one vector of length 1, in order', async () => {
      const [a, b, again] = await embed('the pump', 'la reunión', 'the pump');
      for (const vector of [a, b]) {
        expect(vector).toHaveLength(embedder.embeddingModel.dimension);
        expect(cosine(vector as Float32Array, vector as Float32Array)).toBeCloseTo(1, 5);
      }
      expect(again).toEqual(a);
      expect(b).not.toEqual(a);
    });
    it('an empty text and one without words get vectors', async () => {
      for (const vector of await embed('', '!?')) expect(vector.every(Number.isFinite)).toBe(true);
    });
    it.each([
      [
        'la cuota de riego por hectárea',
        'las cuotas de riego suben por hectáreas',
        'the mill was cleaned with hot water',
      ],
      ['cleaning the olive mill', 'the mill is cleaned after each batch of olives', 'renta mensual del refugio'],
      ['averia del camion', 'la avería de los camiones', 'monthly rent of the hut'],
    ])('%p is nearer to %p than to %p', async (query, related, unrelated) => {
      const [q, r, u] = (await embed(query, related, unrelated)) as [Float32Array, Float32Array, Float32Array];
      expect(cosine(q, r)).toBeGreaterThan(cosine(q, u) + 0.1);
    });
  });
