// Collections as types of documents, others as outsiders that should have no type.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goal } from '../lib/goals.mjs';
import { readCollection } from '../lib/collections.mjs';
import { numbers } from '../texts.mjs';
import { sample } from './random.mjs';

const print = (text) => process.stdout.write(`${text}\n`);
const DOCUMENTS = 100;
const OUTSIDERS = ['xquad-r-en', 'xquad-r-es', 'adi'];
/** The threshold is chosen on these, and reported on the others. */
const TUNED = { types: ['cisi', 'med'], outsiders: ['xquad-r-en'] };
const SEED = 24;
const described = JSON.parse(readFileSync(join(import.meta.dirname, 'types.json'), 'utf8'));

const languageOf = (collection) => (collection === 'xquad-r-es' ? 'es' : 'en');
const documentOf = (collection) => (record) => ({
  ...{ documentId: record._id, entityCode: '', name: record.file, path: `/${record.file}`, pageStarts: [] },
  ...{ language: languageOf(collection), title: record.title || null, text: record.text, collection },
});

const typeOf = ({ code, includes }) => ({
  ...{ code, name: code, description: '', parentCode: null, entityCode: null },
  boundary: { includes, excludes: '', rules: [], examples: [] },
});

/** The examples of each type, and other documents of all collections. */
const readAll = (data) => {
  const [examples, documents] = [[], []];
  for (const { code, examples: ids } of described) {
    const records = readCollection(data, code).records.map(documentOf(code));
    examples.push(...records.filter(({ documentId }) => ids.includes(documentId)));
    const others = records.filter(({ documentId }) => !ids.includes(documentId));
    documents.push(...sample(numbers(SEED), others, DOCUMENTS));
  }
  for (const name of OUTSIDERS)
    documents.push(...sample(numbers(SEED), readCollection(data, name).records.map(documentOf(name)), DOCUMENTS));
  return { examples, documents };
};

/** The nearest type of each document with its score. */
const scored = async ({ Classifier, openingText, termsText }, { examples, documents }, embedder) => {
  const vectors = async (texts) => (embedder === null ? texts.map(() => null) : embedder.embed(texts));
  const [ofExamples, ofTexts, ofDocuments] = [
    await vectors(examples.map(openingText)),
    await vectors(described.map(({ includes }) => includes.slice(0, 1_000))),
    await vectors(documents.map(openingText)),
  ];
  const profiles = [
    ...examples.map((document, index) => ({
      ...{ typeCode: document.collection, role: 'EXAMPLE', text: termsText(document), language: 'en' },
      vector: ofExamples[index],
    })),
    ...described.map(({ code }, index) => ({
      ...{ typeCode: code, role: 'INCLUDES', text: '', language: null, vector: ofTexts[index] },
    })),
  ];
  const taxonomy = { version: 1, types: described.map(typeOf), categories: [], features: [] };
  const classifier = new Classifier(taxonomy, profiles, embedder?.floor ?? 0);
  return documents.map((document, index) => {
    const { typeCode, runnerUp, score } = classifier.decide(document, ofDocuments[index]);
    return { collection: document.collection, nearest: typeCode ?? runnerUp, score };
  });
};

const mean = (values) => values.reduce((sum, value) => sum + Number(value), 0) / values.length;
const of = (rows, collections) => rows.filter(({ collection }) => collections.includes(collection));
const accuracy = (rows, threshold) =>
  mean(rows.map(({ collection, nearest, score }) => nearest === collection && score >= threshold));
const left = (rows, threshold) => mean(rows.map(({ score }) => score < threshold));

/** The threshold with the best mean of both figures. */
const choose = (rows) => {
  const [typed, outside] = [of(rows, TUNED.types), of(rows, TUNED.outsiders)];
  const quality = (threshold) => accuracy(typed, threshold) + left(outside, threshold);
  const candidates = Array.from({ length: 199 }, (_, index) => (index + 1) / 200);
  return candidates.reduce((best, threshold) => (quality(threshold) > quality(best) ? threshold : best));
};

const LEAST = 0.5;

const report = (name, rows, wanted) => {
  const types = described.map(({ code }) => code);
  const each = (collections, figure, threshold) =>
    collections.map((code) => `${code} ${figure(of(rows, [code]), threshold).toFixed(2)}`).join(', ');
  const others = types.filter((code) => !TUNED.types.includes(code));
  const xquad = OUTSIDERS.filter((code) => code.startsWith('xquad'));
  const chosen = choose(rows);
  print(`${name}, N ${of(rows, types).length} documents of the types and ${of(rows, OUTSIDERS).length} outsiders`);
  print(
    `  threshold ${chosen.toFixed(3)}, chosen on ${[...TUNED.types, ...TUNED.outsiders].join(', ')}: ` +
      `${others.join(' and ')} ${accuracy(of(rows, others), chosen).toFixed(3)}; left without a type: ` +
      each(['xquad-r-es', 'adi'], left, chosen),
  );
  const right = accuracy(of(rows, types), LEAST);
  const open = left(of(rows, xquad), LEAST);
  print(`  threshold ${LEAST} of the product:`);
  print(`    accuracy ${right.toFixed(3)} ${goal(wanted, right >= wanted)}; ${each(types, accuracy, LEAST)}`);
  print(`    without the threshold ${accuracy(of(rows, types), 0).toFixed(3)}`);
  print(`    xquad left without a type ${open.toFixed(3)} ${goal(0.8, open >= 0.8)}; ${each(OUTSIDERS, left, LEAST)}`);
  print(`    all outsiders left without a type ${left(of(rows, OUTSIDERS), LEAST).toFixed(3)}`);
};

/** @param embedders by name: what embeds, its floor and the accuracy that is wanted */
export const benchAccuracy = async (code, data, embedders) => {
  const all = readAll(data);
  for (const { name, embedder, wanted } of embedders) report(name, await scored(code, all, embedder), wanted);
};
