// Documents a second of one core: rules alone, and rules with similarity and features.
import { load } from '../lib/figures.mjs';
import { goal } from '../lib/goals.mjs';
import { generated, taxonomy } from './generated.mjs';

const print = (text) => process.stdout.write(`${text}\n`);
const TYPES = 20;
const SECONDS = 3;
/** Texts of the generated documents that make one of some pages. */
const REPEATED = 8;

/** What the types are called in texts; the documents have some of these words. */
const WORDS = [
  'contrato',
  'factura',
  'invoice',
  'lease',
  'nómina',
  'albarán',
  'presupuesto',
  'póliza',
  'escritura',
  'acta',
  'convenio',
  'certificado',
  'recibo',
  'informe',
  'manual',
  'quotation',
  'payslip',
  'minutes',
  'policy',
  'permit',
];

/** Five rules a type, of all fields and kinds; few types admit a document. */
const rulesOf = (index) => [
  { field: 'NAME', match: 'GLOB', value: `*-${index}[0-9]*.txt`, effect: 'EXCLUDES' },
  { field: 'PATH', match: 'CONTAINS', value: `Borradores ${index}`, effect: 'EXCLUDES' },
  { field: 'LANGUAGE', match: 'EQUALS', value: 'de', effect: 'EXCLUDES' },
  { field: 'TEXT', match: 'CONTAINS', value: `cláusula particular ${index}`, effect: 'EXCLUDES' },
  {
    ...{ field: 'TEXT', match: 'PATTERN', effect: 'REQUIRES' },
    value: `(?i)${WORDS[index]}\\s+(?:n\\.º|no\\.?|number)?\\s*${index}\\d{3}`,
  },
];

const typeOf = (_, index) => ({
  ...{ code: `T${index}`, name: '', description: '', parentCode: null, entityCode: null },
  boundary: { includes: '', excludes: '', rules: rulesOf(index), examples: [] },
});

const documents = () =>
  generated(1, 200).map(({ text, language, typeCode }, index) => ({
    ...{ documentId: String(index), entityCode: '', name: `doc-${index}.txt`, path: `/Área/doc-${index}.txt` },
    ...{ language, title: null, text: text.repeat(REPEATED), pageStarts: [0], typeCode },
  }));

const perSecond = (work, all) => {
  for (const document of all) work(document);
  const started = process.cpuUsage();
  let count = 0;
  const seconds = () => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1e6;
  };
  while (seconds() < SECONDS) for (const document of all) count += work(document) === undefined ? 0 : 1;
  return count / seconds();
};

export const benchRate = (Classifier) => {
  const all = documents();
  const characters = Math.round(all.reduce((sum, { text }) => sum + text.length, 0) / all.length);
  const rules = new Classifier(
    { version: 1, types: Array.from({ length: TYPES }, typeOf), categories: [], features: [] },
    [],
  );
  const rate = perSecond((document) => rules.decide(document, null), all);
  print(`rules of ${TYPES} types, 5 each, ${all.length} documents of ${characters} characters; ${load()}`);
  print(`  ${rate.toFixed(0)} documents a second of CPU ${goal(500, rate >= 500)}`);
  const features = new Classifier(taxonomy, []);
  const found = perSecond((document) => features.features(document, document.typeCode), all);
  print(`  ${found.toFixed(0)} documents a second of CPU for 7 or 8 features each`);
};
