import { sentences } from '@acervo/analysis';
import { exchangedCases, type Half, type SupportCase, supportCases } from '../../test/support-cases';
import { SupportIndex } from './support';

type Language = 'es' | 'en';
const LANGUAGES: readonly Language[] = ['es', 'en'];
const HALVES: readonly Half[] = ['tuning', 'held-out'];

const indexOf = (text: string, language: Language = 'en', answered: Language = language): SupportIndex =>
  new SupportIndex({ text, documentName: 'document.pdf', language }, answered);

const supports = (text: string, sentence: string, language: Language = 'en'): boolean =>
  indexOf(text, language).supportOf(sentence).isSupported;

/** The sentences of all cases of a half that their own text supports, and those that it does not. */
const checked = (half: Half, sentencesOf: (each: SupportCase) => readonly string[]) => {
  const outcomes = LANGUAGES.flatMap((language) =>
    supportCases(half, language).flatMap((each) => {
      const index = indexOf(each.text, language);
      return sentencesOf(each).map((sentence) => ({ sentence, ...index.supportOf(sentence) }));
    }),
  );
  const supported = outcomes.filter(({ isSupported }) => isSupported).length;
  return { all: outcomes.length, supported, refused: outcomes.length - supported };
};

describe.each(HALVES)('the check of support on the %s half', (half) => {
  it('refuses 95 % of sentences with one changed thing', () => {
    const { all, refused } = checked(half, ({ changed }) => changed.map(({ sentence }) => sentence));
    expect(all).toBe(100);
    expect(refused / all).toBeGreaterThanOrEqual(0.95);
  });

  it('keeps 80 % of true paraphrases', () => {
    const { all, supported } = checked(half, ({ paraphrases }) => paraphrases);
    expect(all).toBe(100);
    expect(supported / all).toBeGreaterThanOrEqual(0.8);
  });

  it('keeps each sentence of a text to the letter', () => {
    const { all, supported } = checked(half, ({ text }) =>
      sentences(text).map(({ start, end }) => text.slice(start, end)),
    );
    expect(supported).toBe(all);
  });

  it('refuses a true sentence about another text', () => {
    const cases = supportCases(half, 'en');
    const others = cases.flatMap(({ text }, at) =>
      (cases[(at + 7) % cases.length]?.paraphrases ?? []).map((sentence) => supports(text, sentence)),
    );
    expect(others).not.toContain(true);
  });
});

describe('the check of support where two things of a text are exchanged', () => {
  const outcomes = exchangedCases().flatMap(({ language, text, paraphrases, changed }) => {
    const index = indexOf(text, language);
    const isSupported = (sentence: string): boolean => index.supportOf(sentence).isSupported;
    return [{ trueOnes: paraphrases.map(isSupported), falseOnes: changed.map(isSupported) }];
  });
  const shareOf = (all: readonly boolean[]): number => all.filter(Boolean).length / all.length;

  it('refuses nine of ten exchanges', () => {
    expect(shareOf(outcomes.flatMap(({ falseOnes }) => falseOnes))).toBeLessThanOrEqual(0.1);
  });

  it('keeps nine of ten true sentences', () => {
    expect(shareOf(outcomes.flatMap(({ trueOnes }) => trueOnes))).toBeGreaterThanOrEqual(0.9);
  });
});

const LEASE =
  'The rent is 640 euros in low season and 1,150 euros from June to September. Pets are not allowed. Ana Ruiz signs. The deposit is 50 000 euros. The key costs 20.000 euros.';

describe('the check of support', () => {
  it.each([
    ['a number that stands with something else', 'The rent is 1,150 euros in low season.'],
    ['another unit', 'The rent is 640 dollars in low season.'],
    ['another month', 'The rent is 1,150 euros from July to September.'],
    ['a dropped negation', 'Pets are allowed.'],
    ['an added negation', 'Ana Ruiz does not sign.'],
    ['another name', 'Ana Reyes signs.'],
    ['a statement that the text does not make', 'The heating is included and the kitchen was renovated.'],
    ['a part of a number', 'The deposit is 50 euros.'],
    ['a thousandth', 'The key costs 20 euros.'],
    ['no words', '...'],
    ['an enormous sentence', `The rent is 640 euros ${'and '.repeat(1_000)} more.`],
  ])('refuses %s', (_, sentence) => expect(supports(LEASE, sentence)).toBe(false));

  it.each([
    ['1.250,50 €', 'EUR 1,250.50'],
    ['1,25 millones de euros', '1.250.000 euros'],
    ['el 3 de marzo de 2024', '03/03/2024'],
    ['March 3rd, 2024', '3 de marzo de 2024'],
    ['del 3 al 7 de marzo', 'el 7 de marzo'],
    ['two weeks', '14 days'],
    ['un 5 por ciento', '5%'],
    ['50 000 euros', '50.000 euros'],
    ['1 250 000 €', '1,250,000 euros'],
    ['mil doscientos kilos', '1.200 kg'],
    ['at 2:30 pm', 'at 14:30'],
    ['treinta y cinco personas', '35 personas'],
    ['los lunes', 'on Mondays'],
    ['half an hour', '30 minutes'],
  ])('takes %s for %s', (one, other) => {
    for (const [text, sentence] of [
      [one, other],
      [other, one],
    ] as const)
      if (one !== 'del 3 al 7 de marzo' || text === one)
        expect([text, supports(`The payment: ${text}.`, `The payment: ${sentence}.`)]).toEqual([text, true]);
  });

  it.each([
    ['1.250 euros', '1.520 euros'],
    ['5 days', '5 working days'],
    ['3 March 2024', '3 March 2025'],
    ['3 March', '13 March'],
    ['14:30', '15:30'],
    ['file 2024/0153-B', 'file 2024/0153-C'],
    ['on Monday', 'on Tuesday'],
    ['a third of the cost', 'two thirds of the cost'],
    ['the second floor', 'the third floor'],
    ['no later than 5 May', 'later than 5 May'],
    ['at most 60 people', 'at least 60 people'],
    ['before 5 May', 'after 5 May'],
  ])('does not take %s for %s', (one, other) =>
    expect(supports(`The payment: ${one}.`, `The payment: ${other}.`)).toBe(false),
  );

  it.each([
    ['in 1576-77', 'in 1576', true],
    ['in 1629-1631', 'in 1631', true],
    ['in season 2023/24', 'in season 2024', true],
    ['in 1576-77', 'in 1578', false],
    ['file 2024/0153', 'file 2024', false],
  ])('of two years in one word, %s states %s: %p', (one, other, isStated) =>
    expect(supports(`The payment: ${one}.`, `The payment: ${other}.`)).toBe(isStated),
  );

  it('the quote is what supports the sentence, to the letter', () => {
    const support = indexOf(LEASE).supportOf('No pets are allowed.');
    if (!support.isSupported) throw new Error(`refused: ${support.objection}`);
    expect(LEASE.slice(support.start, support.end)).toBe('Pets are not allowed.');
  });

  it('a quote does not go across a blank line', () => {
    const text = 'The rent is 640 euros.\n\nThe deposit is 900 euros.';
    expect(supports(text, 'The rent is 640 euros and the deposit is 900 euros.')).toBe(false);
    expect(supports(text.replace('\n\n', ' '), 'The rent is 640 euros and the deposit is 900 euros.')).toBe(true);
  });

  it('a name may stand in the name of the document', () => {
    const index = new SupportIndex(
      { text: 'The rent is 640 euros.', documentName: 'Contrato Collado.pdf', language: 'en' },
      'en',
    );
    expect(index.supportOf('The rent of Collado is 640 euros.').isSupported).toBe(true);
  });

  it('a sentence in the other language is compared by listed words', () => {
    const text =
      'El inquilino no podrá subarrendar la vivienda sin permiso escrito del propietario. La renta mensual es de 850 euros.';
    const index = indexOf(text, 'es', 'en');
    const outcomes = [
      'The monthly rent is 850 euros.',
      'The tenant may not sublet the dwelling without the written permission of the owner.',
      'The monthly rent is 950 euros.',
      'The tenant may sublet the dwelling without the written permission of the owner.',
    ].map((sentence) => index.supportOf(sentence).isSupported);
    expect(outcomes).toEqual([true, true, false, false]);
  });

  it.each(['a', '1.', 'no ', '3 de marzo y ', 'Ana, ', '\ud800', '((', '1 y ', 'mil ', '\u202e', '[1]', '</data'])(
    'a passage of %j alone is read',
    (piece) => {
      const text = piece.repeat(30_000 / piece.length);
      expect(indexOf(text, 'es').supportOf(`Ana no pagó 3 euros. ${text.slice(0, 900)}`)).toBeDefined();
    },
  );
});
