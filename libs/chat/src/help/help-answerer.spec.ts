import { sentences } from '@acervo/analysis';
import questions from '../../test/help-questions.json';
import { handbook, type HelpLanguage, helpLanguages } from './handbook';
import { answerFrom, type HelpPassage } from './help-answerer';
import { inHandbookWords } from './question-terms';

const passagesIn = (language: HelpLanguage): HelpPassage[] =>
  handbook[language].map(({ title, text }) => ({ title, text, language }));

const asked = (language: HelpLanguage, question: string) =>
  answerFrom(inHandbookWords(question, language), passagesIn(language));

/** The section that answers a question; undefined without an answer. */
const answering = (language: HelpLanguage, question: string): string | undefined => {
  const answer = asked(language, question);
  return handbook[language].find(({ text }) => text === answer?.passage.text)?.code;
};

describe.each(helpLanguages)('questions about the product in %s', (language) => {
  const inLanguage = questions.filter((each) => each.language === language);
  const answerable = inLanguage.filter(({ sections }) => sections.length > 0);
  const unanswerable = inLanguage.filter(({ sections }) => sections.length === 0);

  it('at least 88 % are answered by a section about their subject', () => {
    const right = answerable.filter(({ question, sections }) =>
      sections.some((section) => section === answering(language, question)),
    );
    expect(answerable).toHaveLength(80);
    expect(right.length / answerable.length).toBeGreaterThanOrEqual(0.88);
  });
  it('at least 95 % of the unanswerable ones have no answer', () => {
    const refused = unanswerable.filter(({ question }) => answering(language, question) === undefined);
    expect(unanswerable).toHaveLength(40);
    expect(refused.length / unanswerable.length).toBeGreaterThanOrEqual(0.95);
  });
});

describe('an answer about the product', () => {
  it('consists of at most three sentences of one passage, in their order', () => {
    for (const { language, question } of questions) {
      const answer = asked(language === 'es' ? 'es' : 'en', question);
      if (answer === undefined) continue;
      const { text } = answer.passage;
      const places = sentences(answer.text).map(({ start, end }) => text.indexOf(answer.text.slice(start, end)));
      expect(places.length).toBeLessThanOrEqual(3);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(places).not.toContain(-1);
    }
  });
  it('a title decides between sentences that cover a question alike', () => {
    const text = 'A key is shown only once, when it is created.';
    const passages = ['People', 'Keys'].map((title) => ({ title, text, language: 'en' as const }));
    expect(answerFrom('Which key is created?', passages)?.passage.title).toBe('Keys');
  });
  it('a short sentence wins over a long one that says as much', () => {
    const long = 'A folder, which an administrator registers and which holds documents and scans, can be deleted.';
    const passages = [long, 'A folder can be deleted.'].map((text) => ({ title: '', text, language: 'en' as const }));
    expect(answerFrom('delete folder', passages)?.text).toBe('A folder can be deleted.');
  });
  it('a question without a word of the passages has no answer', () => {
    for (const question of ['', '???', 'why', 'zebra']) expect(answerFrom(question, passagesIn('en'))).toBeUndefined();
  });
});
