// Questions in people's own words over real files: is the right document among the first three, and the right passage?
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inPlace, withInstallation } from './lib/installation.mjs';

const require = createRequire(import.meta.url);
const FIRST = 3;
const collapsed = (text) => text.replace(/\s+/g, ' ').trim();

/** The questions that have an answer: id, language, question, file below `files/`, snippet. */
const questionsIn = (folder) =>
  readFileSync(join(folder, 'QUESTIONS.tsv'), 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .filter(([, , , file]) => file)
    .map(([id, language, question, file, snippet]) => ({ id, language, question, file, snippet }));

/** Whether the passage is in another language than the question. */
const isAcross = (language, snippet) => {
  const { detectLanguage } = require('@acervo/analysis');
  return (detectLanguage(snippet, ['es', 'en']) ?? language) !== language;
};

const asked = async ({ id, language, question, file, snippet }, { search }) => {
  const documents = await search(question, 10);
  const place = documents.findIndex(({ location }) => location.endsWith(file)) + 1;
  const texts = documents.slice(0, FIRST).flatMap(({ chunks }) => chunks.map(({ text }) => collapsed(text)));
  return {
    id,
    language,
    across: isAcross(language, snippet),
    question,
    place,
    document: place >= 1 && place <= FIRST,
    passage: texts.some((text) => text.includes(collapsed(snippet))),
  };
};

const share = (answers, of) => {
  const hits = answers.filter((answer) => answer[of]).length;
  const percent = answers.length === 0 ? '-' : ((100 * hits) / answers.length).toFixed(0);
  return `${hits} of ${answers.length} (${percent} %)`;
};

export const measureDemo = ({ demo, embedder, keep }, say) =>
  inPlace(keep === undefined ? undefined : join(keep, 'demo'), (place) =>
    withInstallation({ folder: join(demo, 'files'), data: join(place, 'data'), embedder }, async (installation) => {
      const answers = [];
      for (const question of questionsIn(demo)) answers.push(await asked(question, installation));
      say(`\ndemo: ${installation.intake}`);
      for (const { id, language, question, place: at, document, passage } of answers)
        if (!document || !passage)
          say(
            `  ${id} ${language} document ${at === 0 ? 'not in the first ten' : `at ${at}`}, passage ${passage ? 'found' : 'missed'}: ${question}`,
          );
      for (const [name, those] of [
        ['all', answers],
        ...['es', 'en'].map((code) => [code, answers.filter(({ language }) => language === code)]),
        ['across languages', answers.filter(({ across }) => across)],
      ])
        say(
          `  ${name.padEnd(16)} document in the first ${FIRST}: ${share(those, 'document')}, passage: ${share(those, 'passage')}`,
        );
    }),
  );
