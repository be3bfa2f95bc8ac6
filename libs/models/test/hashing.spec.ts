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
  it('hashing vectors are the same on every machine', async () => {
    const [vector] = await embedder.embed(['Expediente 2024/0153-B: la acequia mayor, the main canal']);
    const rounded = [...(vector ?? [])].map((value) => Math.round(value * 1e4));
    expect(createHash('sha256').update(rounded.join()).digest('hex')).toBe(
      'd278c05e27afb4213077c57b91595405fd5b8149bdd8d95027aef6c82d70768f',
    );
  });
  it('unrelated passages have the floor as mean cosine', async () => {
    const vectors = await embedder.embed(passages());
    const pairs = vectors.flatMap((a, i) => vectors.slice(i + 1).map((b) => cosine(a, b)));
    const mean = pairs.reduce((sum, value) => sum + value, 0) / pairs.length;
    expect(pairs.length).toBeGreaterThan(500);
    expect(Math.abs(mean - embedder.embeddingModel.floor)).toBeLessThan(0.02);
  });
  it('hashing a text takes negligible processor time', async () => {
    const texts = Array.from({ length: 60 }, (_, i) =>
      passages()
        .join(' ')
        .slice(i * 10, i * 10 + 800),
    );
    const rounds: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const started = process.cpuUsage();
      await embedder.embed(texts);
      const { user, system } = process.cpuUsage(started);
      rounds.push((user + system) / 1_000 / texts.length);
    }
    // Processor time, in milliseconds for each text: wall time would include other load of the machine.
    expect(Math.min(...rounds)).toBeLessThan(10);
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
