// The documents and judged queries of several collections as one corpus.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameOf, readCollection } from '../lib/collections.mjs';

const textOf = ({ title, text }) => (title && !text.startsWith(title) ? `${title}\n\n${text}\n` : `${text || title}\n`);

/** The queries with a relevant document among the names; judgements by name. */
const queriesAmong = (queries, nameById) =>
  queries.flatMap(({ text, judged }) => {
    const judgements = [...judged].flatMap(([id, score]) => (nameById.has(id) ? [[nameById.get(id), score]] : []));
    return judgements.some(([, score]) => score > 0) ? [{ text, judged: new Map(judgements) }] : [];
  });

/**
 * @param collections as `readCollection` returns them
 * @param most how many documents at most, the same share of each collection; 0 takes all
 * @returns documents with name and text, and judged queries by collection
 */
export const corpusOf = (collections, most = 0) => {
  const share = most === 0 ? Infinity : Math.ceil(most / collections.length);
  const [documents, queries] = [[], {}];
  for (const { name, records, queries: judged } of collections) {
    const nameById = new Map();
    for (const record of records.filter((each) => textOf(each).trim() !== '').slice(0, share)) {
      const document = { name: nameOf(documents.length).replace('.txt', ''), text: textOf(record) };
      nameById.set(record._id, document.name);
      documents.push(document);
    }
    queries[name] = queriesAmong(judged, nameById);
  }
  return { documents, queries };
};

export const readCorpus = (folder, names, most) =>
  corpusOf(
    names.map((name) => readCollection(folder, name)),
    most,
  );

/** Writes one text file a document, a hundred files a folder. */
export const writeDocuments = (documents, folder) => {
  mkdirSync(folder, { recursive: true });
  documents.forEach(({ name, text }, index) => {
    const place = join(folder, String(Math.floor(index / 100)));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `${name}.txt`), text);
  });
};

const WORDS_OF_A_CHUNK = 240;

/** Chunks of 240 words, for a system that does not cut texts itself. */
export const chunksOf = ({ name, text }) => {
  const words = text.split(/\s+/).filter(Boolean);
  return Array.from({ length: Math.max(1, Math.ceil(words.length / WORDS_OF_A_CHUNK)) }, (_, index) => ({
    id: `${name}#${index}`,
    text: words.slice(index * WORDS_OF_A_CHUNK, (index + 1) * WORDS_OF_A_CHUNK).join(' '),
  }));
};
