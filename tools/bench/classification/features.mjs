// Features of generated contracts and invoices: precision, recall, and evidence to the letter.
import { goal } from '../lib/goals.mjs';
import { generated, taxonomy } from './generated.mjs';

const print = (text) => process.stdout.write(`${text}\n`);
const share = (part, whole) => (whole === 0 ? 1 : part / whole);
/** Wrong features that are printed. */
const MOST_SHOWN = 10;

const documentOf = ({ text, language }, index) => ({
  ...{ documentId: String(index), entityCode: '', name: 'a.txt', path: '/a.txt', title: null },
  ...{ language, text, pageStarts: [] },
});

/** What was found in one document beside what it states. */
const compare = (classifier, draft, index) => {
  const document = documentOf(draft, index);
  const found = classifier.features(document, draft.typeCode);
  const isRight = ({ code, value, quote }) => {
    const stated = draft.stated.get(code);
    return stated !== undefined && stated.value === value && stated.written === quote;
  };
  const codes = new Set(found.filter(isRight).map(({ code }) => code));
  return {
    found: found.length,
    right: codes.size,
    stated: draft.stated.size,
    literal: found.filter(({ quote, startAt, endAt }) => draft.text.slice(startAt, endAt) === quote).length,
    errors: [
      ...found
        .filter((feature) => !isRight(feature))
        .map(({ code, value, quote }) => `${code} found ${value} (${quote})`),
      ...[...draft.stated]
        .filter(([code]) => !codes.has(code))
        .map(([code, { written }]) => `${code} states ${written}`),
    ],
  };
};

export const benchFeatures = (Classifier, seed, count) => {
  const classifier = new Classifier(taxonomy, []);
  const all = generated(seed, count).map((draft, index) => compare(classifier, draft, index));
  const total = (name) => all.reduce((sum, { [name]: value }) => sum + value, 0);
  const [found, right, stated, literal] = ['found', 'right', 'stated', 'literal'].map(total);
  for (const error of all.flatMap(({ errors }) => errors).slice(0, MOST_SHOWN)) print(`  ${error}`);
  const [precision, recall, exact] = [share(right, found), share(right, stated), share(literal, found)];
  print(`features of ${count} generated documents, ${stated} stated, ${found} found`);
  print(`  precision ${precision.toFixed(4)} ${goal(0.98, precision >= 0.98)}`);
  print(`  recall    ${recall.toFixed(4)} ${goal(0.95, recall >= 0.95)}`);
  print(`  evidence  ${exact.toFixed(4)} to the letter ${goal(1, exact === 1)}`);
};
