// Texts with the statistics of real ones: few frequent words, many rare words, two languages. The same in every run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

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

/** A sentence of random words. */
export const sentence = (next) => {
  const words = Array.from({ length: 8 + Math.floor(next() * 10) }, () => word(next));
  return `${words[0][0].toUpperCase()}${words.join(' ').slice(1)} ${next() < 0.5 ? 'de la' : 'of the'} ${word(next)}.`;
};

const PARAGRAPHS = 20;
const SENTENCES = 9;

/** Number of chunks that ingestion makes of a text file. */
const chunksIn = (text) => {
  const { chunk, defaultChunkOptions, plainText } = require('@acervo/analysis');
  return chunk(plainText(text), defaultChunkOptions).length;
};

/** A document with at most the wanted number of chunks. */
const document = (next, wanted) => {
  const paragraphs = Array.from({ length: PARAGRAPHS }, () =>
    Array.from({ length: SENTENCES }, () => sentence(next)).join(' '),
  );
  for (;;) {
    const text = paragraphs.join('\n\n');
    const chunks = chunksIn(text);
    if (chunks <= wanted || paragraphs.length === 1) return { text, chunks };
    paragraphs.pop();
  }
};

/** Writes documents with a total number of chunks, a dozen each; returns the number of documents. */
export const corpus = (folder, chunks) => {
  const next = numbers(42);
  let documents = 0;
  for (let left = chunks; left > 0; documents += 1) {
    const place = join(folder, `carpeta-${documents % 20}`);
    mkdirSync(place, { recursive: true });
    const made = document(next, left);
    writeFileSync(join(place, `documento-${documents}.txt`), made.text);
    left -= made.chunks;
  }
  return documents;
};

/** Passages of the size of chunks. */
export const passages = (count) => {
  const next = numbers(17);
  return Array.from({ length: count }, () => Array.from({ length: SENTENCES }, () => sentence(next)).join(' '));
};

export const queries = (count) => {
  const next = numbers(99);
  return Array.from({ length: count }, () =>
    Array.from({ length: 2 + Math.floor(next() * 4) }, () => word(next)).join(' '),
  );
};
