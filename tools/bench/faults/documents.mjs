// Documents of a few chunks, each with a unique word; a few documents cannot be read.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { numbers, sentence } from '../texts.mjs';

const LETTERS = 'bcdfghjklmnpqrst';
const SENTENCES = 26;

/** The unique word of a document. */
export const wordOf = (index) =>
  `xz${[...index.toString(LETTERS.length).padStart(4, '0')].map((digit) => LETTERS[Number.parseInt(digit, LETTERS.length)]).join('')}q`;

const WRAP = {
  txt: (text) => text,
  md: (text) => `# Acta\n\n${text}`,
  html: (text) => `<html><body><h1>Acta</h1><p>${text.replaceAll('\n\n', '</p><p>')}</p></body></html>`,
};
const KINDS = Object.keys(WRAP);

/** One document in fifty is broken or incomplete. */
const UNREADABLE = [
  ['xyz', 'nothing that anybody reads'],
  ['pdf', '%PDF-1.7 and nothing more'],
];

/** Writes documents; returns the names and words of those that will be searchable. */
export const writeDocuments = (folder, count) => {
  const next = numbers(5);
  const searchable = [];
  for (let index = 0; index < count; index += 1) {
    const place = join(folder, `carpeta-${index % 12}`);
    mkdirSync(place, { recursive: true });
    if (index % 50 === 7) {
      const [ending, text] = UNREADABLE[Math.floor(index / 50) % UNREADABLE.length];
      writeFileSync(join(place, `roto-${index}.${ending}`), text);
      continue;
    }
    const sentences = Array.from({ length: SENTENCES }, () => sentence(next));
    sentences[3 + (index % 20)] += ` El ${wordOf(index)} consta.`;
    const kind = KINDS[index % KINDS.length];
    const name = `documento-${index}.${kind}`;
    writeFileSync(join(place, name), WRAP[kind](sentences.join(' ')));
    searchable.push({ name, word: wordOf(index), file: join(place, name) });
  }
  return searchable;
};

/** Replaces the unique word of every fourth document; returns the changed documents. */
export const changeDocuments = (searchable, round) =>
  searchable
    .filter((_, index) => index % 4 === 1)
    .map((document) => {
      const word = `${document.word}${LETTERS[round % LETTERS.length]}`;
      writeFileSync(document.file, readFileSync(document.file, 'utf8').replaceAll(document.word, word));
      return Object.assign(document, { word });
    });
