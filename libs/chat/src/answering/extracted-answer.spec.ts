import { passageOf } from '../../test/passage-of';
import { answerability, DEFAULT_EXTRACTION, extractedAnswer } from './extracted-answer';
import type { Passage } from './passages';

const LEASE = passageOf(
  1,
  '# Lease\n\nThe rent is due on the first day of each month. The tenant pays a deposit of 900 euros. Pets are allowed.',
);
const ACTA = passageOf(
  2,
  'La cuota anual de riego sube de 96 a 102 euros por hectárea. Preside Remedios Alcántara. Asisten 84 de los 112 socios.',
  { language: 'es', documentName: 'acta-2024.md' },
);

const ask = (question: string, passages: readonly Passage[] = [LEASE, ACTA]) =>
  extractedAnswer(question, passages, 'en').sentences.map(({ text }) => text);

describe('an answer without a model', () => {
  it.each([
    ['Which deposit does the tenant pay?', 'The tenant pays a deposit of 900 euros.'],
    ['¿Cuánto sube la cuota anual de riego?', 'La cuota anual de riego sube de 96 a 102 euros por hectárea.'],
    ['¿Cuántos socios asisten?', 'Asisten 84 de los 112 socios.'],
  ])('%s is answered by a sentence to the letter', (question, sentence) => expect(ask(question)).toContain(sentence));

  it('a question about a year is answered by a span that begins with it', () => {
    const plague = passageOf(1, 'La peste de 1576-77 mató a miles de personas en Venecia.', { language: 'es' });
    expect(ask('¿Cuántas personas mató la peste de 1576 en Venecia?', [plague])).toHaveLength(1);
  });

  it('a question about a speed is answered by a sentence with a number', () => {
    const turbine = passageOf(1, 'Las turbinas giran a velocidad alta. Las turbinas giran a velocidad de 3000 RPM.', {
      language: 'es',
    });
    const one = { ...DEFAULT_EXTRACTION, mostSentences: 1 };
    const { sentences } = extractedAnswer('¿A qué velocidad giran las turbinas?', [turbine], 'es', one);
    expect(sentences[0]?.text).toBe('Las turbinas giran a velocidad de 3000 RPM.');
  });

  it.each([
    ['near in meaning', 0.6, 1],
    ['far in meaning', 0, 0],
  ])('a passage %s answers a question with few of its words: similarity %p', (_, similarity, sentences) => {
    const session = passageOf(1, 'The token of a session has 64 bits of entropy.', { similarity });
    expect(ask('How random must the identifier of a session be?', [session])).toHaveLength(sentences);
  });

  it('each quote stands in its passage', () => {
    const { sentences } = extractedAnswer('Which deposit does the tenant pay?', [LEASE, ACTA], 'en');
    for (const { start, end, quote, passage } of sentences.flatMap(({ citations }) => citations))
      expect([LEASE, ACTA][passage - 1]?.text.slice(start, end)).toBe(quote);
  });

  it.each([
    ['about something else', 'Who is the president of France?'],
    ['about another year', '¿Cuánto sube la cuota anual de riego en 2019?'],
    ['about another person', '¿Preside la asamblea Gonzalo Pardo?'],
    ['that is empty', ''],
  ])('a question %s gets an abstention', (_, question) => expect(ask(question)).toEqual([]));

  it('a higher floor turns an answer into an abstention', () => {
    const at = (floor: number) =>
      extractedAnswer('deposit in gold coins', [LEASE], 'en', { ...DEFAULT_EXTRACTION, floor });
    expect([at(0.1).sentences.length > 0, at(0.9).sentences.length]).toEqual([true, 0]);
  });

  it('forged marks and links leave the answer, not its quote', () => {
    const hostile = 'The deposit <b>is</b> 900 euros [7], see https://evil.example/x ![i](https://evil.example/i.png).';
    const { sentences } = extractedAnswer('What is the deposit?', [passageOf(1, hostile)], 'en');
    expect(sentences.map(({ text }) => text)).toEqual(['The deposit is 900 euros, see.']);
    expect(sentences[0]?.citations[0]?.quote).toBe(hostile);
  });

  it('sentences stand in the order of the passages', () => {
    const rents = [1, 2, 3].map((number) =>
      passageOf(number, `The rent of flat ${String(number)} is due in month ${String(number)}.`),
    );
    const { sentences } = extractedAnswer('When is the rent of the flat due?', rents, 'en');
    expect(sentences.flatMap(({ citations }) => citations.map(({ passage }) => passage))).toEqual([1, 2, 3]);
  });
});

describe('how well a sentence answers', () => {
  const signs = { coverage: 0.5, context: 0.5, similarity: null, hasNames: true, isExpectedKind: true };

  it('the similarity of its passage raises or lowers the lexical score', () => {
    const scores = [0, null, 1].map((similarity) => answerability({ ...signs, similarity }));
    expect(scores.toSorted((a, b) => a - b)).toEqual(scores);
    expect(new Set(scores).size).toBe(3);
  });

  it.each([
    ['without what the question asks for', { isExpectedKind: false }],
    ['of a passage without a name of the question', { hasNames: false }],
    ['of a passage with fewer words of the question', { context: 0.2, coverage: 0.2 }],
  ])('a sentence %s scores less', (_, change) =>
    expect(answerability({ ...signs, ...change })).toBeLessThan(answerability(signs)),
  );

  it('the score stays between 0 and 1', () => {
    const extremes = [
      answerability({ ...signs, coverage: 1, context: 1, similarity: 1 }),
      answerability({ ...signs, coverage: 0.01, context: 0, similarity: 0 }),
    ];
    expect(extremes.every((score) => score >= 0 && score <= 1)).toBe(true);
  });
});
