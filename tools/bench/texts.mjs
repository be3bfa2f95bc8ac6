// Texts with the shape of real ones: few words often, many words rarely, two languages. The same on every run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A generator of numbers from 0 to 1, by mulberry32. */
export const numbers = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let value = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
  return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
};

const SYLLABLES =
  'ba be bi bo ca co cu da de di do fa fe fi ga go la le li lo lu ma me mi mo na ne no pa pe pi ra re ri ro sa se si so ta te ti to va ve vi'.split(
    ' ',
  );

const vocabulary = (() => {
  const next = numbers(7);
  return Array.from({ length: 6_000 }, () =>
    Array.from({ length: 2 + Math.floor(next() * 3) }, () => SYLLABLES[Math.floor(next() * SYLLABLES.length)]).join(''),
  );
})();

const word = (next) => vocabulary[Math.floor(next() ** 3 * vocabulary.length)];

/** A sentence of words that are drawn. */
export const sentence = (next) => {
  const words = Array.from({ length: 8 + Math.floor(next() * 10) }, () => word(next));
  return `${words[0][0].toUpperCase()}${words.join(' ').slice(1)} ${next() < 0.5 ? 'de la' : 'of the'} ${word(next)}.`;
};

const CHUNKS_A_DOCUMENT = 20;
const SENTENCES_A_CHUNK = 9;

/** Writes documents that make about so many chunks; answers how many documents. */
export const corpus = (folder, chunks) => {
  const next = numbers(42);
  const documents = Math.ceil(chunks / CHUNKS_A_DOCUMENT);
  for (let index = 0; index < documents; index += 1) {
    const place = join(folder, `carpeta-${index % 20}`);
    mkdirSync(place, { recursive: true });
    const paragraphs = Array.from({ length: CHUNKS_A_DOCUMENT }, () =>
      Array.from({ length: SENTENCES_A_CHUNK }, () => sentence(next)).join(' '),
    );
    writeFileSync(join(place, `documento-${index}.txt`), paragraphs.join('\n\n'));
  }
  return documents;
};

export const queries = (count) => {
  const next = numbers(99);
  return Array.from({ length: count }, () =>
    Array.from({ length: 2 + Math.floor(next() * 4) }, () => word(next)).join(' '),
  );
};
