// Natural questions over real files: is the right document among the first three, with the right passage?
import { join } from 'node:path';
import { inPlace, withInstallation } from './lib/installation.mjs';
import { rowsOf } from './lib/rows.mjs';

const FIRST = 3;
const collapsed = (text) => text.replace(/\s+/g, ' ').trim();

/** The questions of the demo in the other one of its two languages, by id. */
const translations = new Map(
  rowsOf(new URL('data/demo-across.tsv', import.meta.url)).map(([id, language, question]) => [
    id,
    { language, question },
  ]),
);

/** The questions with an answer: id, language, question, file below `files/`, snippet; each in both languages. */
const questionsIn = (folder) =>
  rowsOf(join(folder, 'QUESTIONS.tsv'))
    .filter(([, , , file]) => file)
    .flatMap(([id, language, question, file, snippet]) => {
      const sameLanguage = { id, language, question, file, snippet, across: false };
      const other = translations.get(id);
      return other === undefined ? [sameLanguage] : [sameLanguage, { ...sameLanguage, ...other, across: true }];
    });

const asked = async ({ id, language, question, file, snippet, across }, { search }) => {
  const documents = await search(question, 10);
  const place = documents.findIndex(({ location }) => location.endsWith(file)) + 1;
  const texts = documents.slice(0, FIRST).flatMap(({ chunks }) => chunks.map(({ text }) => collapsed(text)));
  return {
    id,
    language,
    across,
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

export const measureDemo = ({ demo, embedder, environment, keep }, print) =>
  inPlace(keep === undefined ? undefined : join(keep, ['demo', embedder].filter(Boolean).join('-')), (place) => {
    const request = { folder: join(demo, 'files'), data: join(place, 'data'), embedder, environment };
    return withInstallation(request, async (installation) => {
      const answers = [];
      for (const question of questionsIn(demo)) answers.push(await asked(question, installation));
      print(`\ndemo: ${installation.ingested}`);
      for (const { id, language, question, place: at, document, passage } of answers)
        if (!document || !passage)
          print(
            `  ${id} ${language} document ${at === 0 ? 'not in the first ten' : `at ${at}`}, passage ${passage ? 'found' : 'missed'}: ${question}`,
          );
      const [sameLanguage, translated] = [false, true].map((other) => answers.filter(({ across }) => across === other));
      const by = (list, code) => list.filter(({ language }) => language === code);
      for (const [name, those] of [
        ['all', sameLanguage],
        ['es', by(sameLanguage, 'es')],
        ['en', by(sameLanguage, 'en')],
        ['es to en', by(translated, 'es')],
        ['en to es', by(translated, 'en')],
      ])
        print(
          `  ${name.padEnd(16)} document in the first ${FIRST}: ${share(those, 'document')}, passage: ${share(those, 'passage')}`,
        );
    });
  });
