import { type AnswerPassage, extractAnswer } from './extractive-answerer';

const lease: AnswerPassage = {
  language: 'en',
  text: '# Lease\n\nThe rent is due on the first day of each month. The tenant pays a deposit of 900 euros. Pets are allowed.',
};
const contrato: AnswerPassage = {
  language: 'es',
  text: 'El arrendatario abonará una fianza de 900 euros. La renta se paga el primer día de cada mes.',
};
const weather: AnswerPassage = { language: 'en', text: 'It rained all week in the north, and the harbour was closed.' };

describe('the extractive answerer', () => {
  it.each([
    ['Which deposit does the tenant pay?', lease, 'The tenant pays a deposit of 900 euros.'],
    ['¿Qué fianza abonará el arrendatario?', contrato, 'El arrendatario abonará una fianza de 900 euros.'],
  ])('%s is answered by a sentence, to the letter', (question, passage, sentence) => {
    const answer = extractAnswer(question, [weather, passage]);
    expect(answer.sentences[0]).toMatchObject({ passage: 1, quote: sentence });
    for (const { passage: at, start, end, quote } of answer.sentences)
      expect([weather, passage][at]?.text.slice(start, end)).toBe(quote);
  });

  it.each(['Who is the president of the company?', '¿Quién preside la empresa?', '', '???'])(
    'a question without an answer in the passages gets none: %s',
    (question) => expect(extractAnswer(question, [lease, contrato, weather]).sentences).toEqual([]),
  );

  it('no passage, no answer', () => {
    expect(extractAnswer('Which deposit?', [])).toEqual({ sentences: [], score: 0 });
  });

  it('an answer has at most the wanted sentences, in the order of the passages', () => {
    const passages = Array.from({ length: 6 }, () => lease);
    const { sentences } = extractAnswer('When is the rent due?', passages, { threshold: 0.5, mostSentences: 4 });
    expect(sentences.map(({ passage }) => passage)).toEqual([0, 1, 2, 3]);
  });
});
