// Features of generated documents and of marked passages of real files: precision, recall, evidence to the letter.
import { goal } from '../lib/goals.mjs';
import { generated, taxonomy } from './generated.mjs';
import { marked, markedTaxonomy } from './marked.mjs';

const print = (text) => process.stdout.write(`${text}\n`);
const share = (part, whole) => (whole === 0 ? 1 : part / whole);
/** Wrong features that are printed. */
const MOST_SHOWN = 20;

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

const printFigures = (title, all) => {
  const total = (name) => all.reduce((sum, { [name]: value }) => sum + value, 0);
  const [found, right, stated, literal] = ['found', 'right', 'stated', 'literal'].map(total);
  for (const error of all.flatMap(({ errors }) => errors).slice(0, MOST_SHOWN)) print(`  ${error}`);
  const [precision, recall, exact] = [share(right, found), share(right, stated), share(literal, found)];
  print(`features of ${title}, ${stated} stated, ${found} found`);
  print(`  precision ${precision.toFixed(4)} ${goal(0.98, precision >= 0.98)}`);
  print(`  recall    ${recall.toFixed(4)} ${goal(0.95, recall >= 0.95)}`);
  print(`  evidence  ${exact.toFixed(4)} to the letter ${goal(1, exact === 1)}`);
};

export const benchFeatures = (Classifier, seed, count) => {
  const ofGenerated = new Classifier(taxonomy, []);
  const drafts = generated(seed, count);
  printFigures(
    `${count} generated documents`,
    drafts.map((draft, index) => compare(ofGenerated, draft, index)),
  );
  const ofMarked = new Classifier(markedTaxonomy, []);
  const passages = marked();
  const files = new Set(passages.map(({ file }) => file)).size;
  const bare = passages.filter(({ stated }) => stated.size === 0).length;
  printFigures(
    `${passages.length} marked passages of ${files} files, ${bare} of them decoys`,
    passages.map((passage, index) => compare(ofMarked, passage, index)),
  );
};
