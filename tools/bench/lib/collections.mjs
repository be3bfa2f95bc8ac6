// Judged collections: corpus.jsonl (_id, title, text), queries.jsonl (_id, text), qrels.tsv (query, document, score).
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const lines = (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean);
const jsonLines = (file) => lines(file).map((line) => JSON.parse(line));

/** The names of the collections in a folder. */
export const collectionsIn = (folder) =>
  readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'qrels.tsv')))
    .sort();

const judgementsIn = (file) => {
  const judged = new Map();
  for (const line of lines(file)) {
    const [query, document, score] = line.split('\t');
    if (!judged.has(query)) judged.set(query, new Map());
    judged.get(query).set(document, Number(score));
  }
  return judged;
};

const LETTERS = 'bcdfghjklmnpqrst';
/** A name that no query contains: numbers would match queries with numbers. */
export const nameOf = (index) => {
  const digits = index.toString(LETTERS.length).padStart(4, '0');
  return `${[...digits].map((digit) => LETTERS[Number.parseInt(digit, LETTERS.length)]).join('')}.txt`;
};

/** Two collections with the same queries in two languages differ only in the ending of their names. */
const siblingOf = (name) => name.replace(/-(en|es)$/, (_, code) => (code === 'en' ? '-es' : '-en'));

/** The queries of another collection that have judgements in this one. */
const judgedQueries = (folder, judged) =>
  jsonLines(join(folder, 'queries.jsonl')).flatMap(({ _id, text }) => {
    const judgements = judged.get(_id) ?? new Map();
    return [...judgements.values()].some((score) => score > 0) ? [{ id: _id, text, judged: judgements }] : [];
  });

/**
 * A collection with its records by file name, and its queries with a relevant document. `across` has the same queries
 * in the other language, if a sibling collection has them; otherwise it is null.
 */
export const readCollection = (folder, name) => {
  const place = join(folder, name);
  const judged = judgementsIn(join(place, 'qrels.tsv'));
  const sibling = siblingOf(name);
  const records = jsonLines(join(place, 'corpus.jsonl')).map((record, index) => ({ ...record, file: nameOf(index) }));
  const across =
    sibling !== name && existsSync(join(folder, sibling)) ? judgedQueries(join(folder, sibling), judged) : null;
  const idOf = new Map(records.map(({ _id, file }) => [file, _id]));
  return { name, records, queries: judgedQueries(place, judged), across, idOf };
};

/** Writes one text file a record, its title on the first line, a hundred files a folder. */
export const writeRecords = ({ records }, folder) => {
  records.forEach(({ title, text, file }, index) => {
    const place = join(folder, String(Math.floor(index / 100)));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, file), title ? `${title}\n\n${text}\n` : `${text}\n`);
  });
};

const numbersIn = (row) => row.split('|').slice(2, -1).map(Number);

/**
 * Reference figures from the README of the collections: the better setting of BM25, the vectors, and plain RRF with k
 * 10. Null if the README has none.
 */
export const referenceOf = (folder, name) => {
  const file = join(dirname(folder), 'README.md');
  if (!existsSync(file)) return { bm25: null, vector: null, fused: null };
  const rows = lines(file).filter((line) => line.startsWith(`| ${name} `));
  const baseline = rows
    .map((row) => row.replace(/^\|[^|]*\|/, '| |'))
    .map(numbersIn)
    .find((row) => row.length === 11);
  const both = rows.map(numbersIn).find((row) => row.length === 5);
  return {
    bm25: baseline === undefined ? null : Math.max(baseline[3], baseline[7]),
    vector: both?.[1] ?? null,
    fused: both?.[3] ?? null,
  };
};
