// Answers without a chat model: do they quote what answers the question, do they abstain, do their citations stand?
import { goal } from './lib/goals.mjs';
import { load } from './lib/figures.mjs';
import { inPlace, withInstallation } from './lib/installation.mjs';
import { join } from 'node:path';
import { Citations } from './ask/citations.mjs';
import { demoIn, demoQuestions, questions } from './ask/questions.mjs';
import { askAll, PASSWORD } from './ask/asking.mjs';

const print = (line) => process.stdout.write(`${line}\n`);
const LEAST = 0.8;

const ratio = (count, of) => (of === 0 ? '-' : (count / of).toFixed(3));
const share = (results, counts) => {
  const count = results.filter(counts).length;
  return { text: `${count} of ${results.length} (${ratio(count, results.length)})`, value: count / results.length };
};

const supported = ({ isAnswered, passage }) => isAnswered && passage;
const quoted = ({ isAnswered, sentence }) => isAnswered && sentence;
const abstained = ({ isAnswered }) => !isAnswered;

/** One line of figures, with goals where they are required. */
const row = (name, results, counts, isRequired) => {
  const { text, value } = share(results, counts);
  print(`  ${name.padEnd(44)} ${text} ${isRequired ? goal(`>= ${LEAST.toFixed(2)}`, value >= LEAST) : ''}`.trimEnd());
};

const printParts = (results, counts) => {
  for (const [name, those] of [
    ['Spanish', results.filter(({ language }) => language === 'es')],
    ['English', results.filter(({ language }) => language === 'en')],
    ['tuning', results.filter(({ half }) => half === 'tuning')],
    ['held out', results.filter(({ half }) => half === 'held-out')],
    ['near misses', results.filter(({ kind }) => kind === 'near')],
  ])
    if (those.length > 0) row(`  ${name}`, those, counts, false);
};

const outcomeOf = ({ kind, isAnswered, passage, sentence }) => {
  if (kind !== 'answer') return isAnswered ? 'answered' : 'abstained';
  if (!isAnswered) return 'abstained';
  return sentence ? 'quoted' : passage ? 'in the passage, not quoted' : 'another passage';
};

const isMissed = (result) => (result.kind === 'answer' ? !quoted(result) : result.isAnswered);

const printMisses = (results) => {
  for (const result of results.filter(isMissed)) {
    print(`  ${result.id} ${outcomeOf(result)}: ${result.question}`);
    for (const { name, quote } of result.citations)
      print(`       ${name}: ${quote.replace(/\s+/g, ' ').slice(0, 160)}`);
  }
};

const report = (embedder, ingested, results, isRequired) => {
  const answerable = results.filter(({ kind }) => kind === 'answer');
  const unanswerable = results.filter(({ kind }) => kind !== 'answer');
  const citations = results.flatMap((result) => result.citations);
  print(`\n${embedder}: ${ingested}; ${load()}`);
  row('answers whose passage has the snippet', answerable, supported, isRequired);
  printParts(answerable, supported);
  row(
    'of those that are given',
    answerable.filter(({ isAnswered }) => isAnswered),
    supported,
    false,
  );
  row('answers that quote the snippet', answerable, quoted, false);
  row('abstention where there is no answer', unanswerable, abstained, isRequired);
  printParts(unanswerable, abstained);
  const standing = share(citations, ({ stands }) => stands);
  print(`  ${'citations that stand'.padEnd(44)} ${standing.text} ${goal('100 %', standing.value === 1)}`);
  printMisses(results);
};

const reportDemo = (results) => {
  if (results.length === 0) return;
  print('  the questions that the demo brings');
  row(
    '  answers whose passage has the snippet',
    results.filter(({ kind }) => kind === 'answer'),
    supported,
    false,
  );
  row(
    '  abstention where there is no answer',
    results.filter(({ kind }) => kind !== 'answer'),
    abstained,
    false,
  );
  printMisses(results);
};

const measure = ({ demo, keep }, embedder, isRequired) =>
  inPlace(keep === undefined ? undefined : join(keep, `ask-${embedder}`), (place) =>
    withInstallation(
      {
        ...{ folder: join(demo, 'files'), data: join(place, 'data'), embedder },
        environment: { ACERVO_ADMIN_PASSWORD: PASSWORD, ACERVO_CHAT_URL: undefined },
      },
      async ({ installation, ingested }) => {
        const citations = await Citations.read(installation);
        report(embedder, ingested, await askAll(installation, citations, questions()), isRequired);
        reportDemo(await askAll(installation, citations, demoQuestions(demo)));
      },
    ),
  );

/** Goals are those of the first embedder; a second one is reported beside it. */
export const run = async ({ data, embedder, keep }) => {
  const demo = demoIn(data);
  const embedders = embedder === undefined ? ['e5', 'hashing'] : [embedder];
  for (const [place, name] of embedders.entries()) await measure({ demo, keep }, name, place === 0);
};
