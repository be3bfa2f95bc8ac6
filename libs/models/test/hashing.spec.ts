import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calibratedSimilarity, cosine, embedderByName, HashingEmbedder } from '../src';
import { behavesLikeAnEmbedder } from './embedder.behaviour';

behavesLikeAnEmbedder('hashing', () => Promise.resolve(new HashingEmbedder()));

/** Passages on many topics: the paragraphs of the sample library. */
const passages = (): string[] => {
  const folder = join(__dirname, '../../../samples/library');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|txt)$/.test(name))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n\n'))
    .filter((paragraph) => paragraph.length > 120);
};

describe('the vectors of the hashing embedder', () => {
  const embedder = new HashingEmbedder();
  it.each([
    [
      'Expediente 2024/0153-B: la acequia mayor, the main canal',
      'd278c05e27afb4213077c57b91595405fd5b8149bdd8d95027aef6c82d70768f',
    ],
    [
      'Las actas de las obras: luces, lápices y las aguas de la tas',
      'fa5b5e10b593a342b789fab10e4caeaf82d1c82da54b648e203c0da2e9175de1',
    ],
    [
      'Un programa en C++ y C# para la versión 10 de .NET',
      '42745db7a268d90c076b3653ac0df880a7411f0be0cbcd4932e7033aa4680256',
    ],
    [
      'La col·lecció de la Straße, œuvres del año 2024: readTimeout, ana@example.org y n.º 3',
      '48d29b4c543717d9955691e4249906b695fc5f41431019f55fb7800f16be9dd3',
    ],
    [
      'Negociaciones, decisiones e irrigación; running canals were repaired',
      '62820a60c789d7a7c0eb8d699738e68e8fadcb31f9fcf815f17224b0180a4d0b',
    ],
    [
      `Une ${'palabra'.repeat(12)} larga_${'x'.repeat(70)}`,
      '7496660653d8ff41dc60ef0d439ac9bb1da53b5a289ef828eaed265f636dfd27',
    ],
    ['дом и вода, 漢字 12', 'ac1c156d7bbecfd64cb68b5b32669c8d12e044ea373afdad3d7c348226319ecd'],
    ['', '6469e12fbd26bb17d9d222013b379f222bdce4707e6f112888328a188ffae98d'],
  ])('revision 1 hashes %p into the same vector on every machine', async (text, digest) => {
    expect(embedder.embeddingModel.revision).toBe('1');
    const [vector] = await embedder.embed([text]);
    const rounded = [...(vector ?? [])].map((value) => Math.round(value * 1e4));
    expect(createHash('sha256').update(rounded.join()).digest('hex')).toBe(digest);
  });
  it('unrelated passages have the floor as mean cosine', async () => {
    const vectors = await embedder.embed(passages());
    const pairs = vectors.flatMap((a, i) => vectors.slice(i + 1).map((b) => cosine(a, b)));
    const mean = pairs.reduce((sum, value) => sum + value, 0) / pairs.length;
    expect(pairs.length).toBeGreaterThan(500);
    expect(Math.abs(mean - embedder.embeddingModel.floor)).toBeLessThan(0.02);
  });
});

describe('similarity', () => {
  it('similarity is 0 at or below the floor, 1 for equal texts', () => {
    expect([0, 0.3, 0.65, 1].map((value) => calibratedSimilarity(value, 0.3))).toEqual([0, 0, expect.closeTo(0.5), 1]);
  });
});

describe('an embedder that does not exist', () => {
  it('an unknown embedder is reported with the known ones', () => {
    expect(() => embedderByName('nope')).toThrow('There is no embedder nope; there is hashing.');
  });
});
