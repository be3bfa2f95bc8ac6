import { HashingEmbedder } from '../src';

const ROUNDS = 4;
/** A text of 800 characters, as many as a passage has. */
const SENTENCE = 'La acequia mayor riega las fincas del valle, and the main canal feeds 24 gates. ';
const TEXTS = Array.from({ length: 60 }, (_, at) => SENTENCE.repeat(11).slice(at, at + 800));

it('hashing a text takes negligible processor time', async () => {
  const embedder = new HashingEmbedder();
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = process.cpuUsage();
    await embedder.embed(TEXTS);
    const { user, system } = process.cpuUsage(started);
    rounds.push((user + system) / 1_000 / TEXTS.length);
  }
  // Milliseconds for each text.
  expect(Math.min(...rounds)).toBeLessThan(10);
});
