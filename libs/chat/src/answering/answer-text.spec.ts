import { citedAnswerOf } from '../../test/cited-answer-of';
import { passageOf } from '../../test/passage-of';
import { answerText, refusalText, textParts } from './answer-text';
import { fixedSentences } from './fixed-sentences';

const PASSAGES = [
  passageOf(1, 'The rent is 640 euros.', { documentName: 'lease.pdf', page: 3 }),
  passageOf(2, 'Gifts worth more than 30 euros are returned.', { documentName: 'policy.md', page: null }),
];
const ANSWER = citedAnswerOf(
  'Gifts worth more than 30 euros are returned [2]. The rent is 640 euros [1].',
  PASSAGES,
  'en',
);

describe('the text of an answer', () => {
  it('sentences with marks come first, then one line for each source', () => {
    expect(answerText(ANSWER, PASSAGES, 'en')).toBe(
      `Gifts worth more than 30 euros are returned [1]. The rent is 640 euros [2].

Sources:
[1] policy.md: https://acervo.example/documents/DOC-2
[2] lease.pdf, p. 3: https://acervo.example/documents/DOC-1`,
    );
  });

  it.each([
    ['es', 'Fuentes:'],
    ['ca', 'Fuentes:'],
    ['en', 'Sources:'],
    ['de', 'Sources:'],
  ] as const)('the heading of the sources in %s is %s', (language, heading) =>
    expect(answerText(ANSWER, PASSAGES, language)).toContain(`\n\n${heading}\n`),
  );

  it('the name and the address of a document cannot leave their line', () => {
    const hostile = passageOf(1, 'The rent is 640 euros.', {
      documentName: 'a [2](https://evil.example)\n[9] <b>b</b>\u202e.pdf',
      url: 'https://acervo.example/a b\n[x](y)',
    });
    const text = answerText(citedAnswerOf('The rent is 640 euros [1].', [hostile], 'en'), [hostile], 'en');
    expect(text.split('\n').slice(3)).toEqual(['[1] a 2 9 b.pdf, p. 1: https://acervo.example/a%20b%0a%5bx%5d%28y%29']);
  });

  it('a refusal names the documents and has no mark and no link', () => {
    const named = passageOf(3, 'x', { documentName: 'plan [1] https://evil.example/x.pdf' });
    const text = answerText({ sentences: [] }, [...PASSAGES, named], 'es');
    expect(text).toBe(
      'No encuentro la respuesta en los documentos a los que tienes acceso. He consultado: lease.pdf; policy.md; plan 1.',
    );
  });

  it('a refusal after a search without documents says so', () => {
    expect(refusalText([], 'en')).toBe(`${fixedSentences('en').abstention} ${fixedSentences('en').nothingFound}`);
  });
});

describe('the parts of a text', () => {
  it.each([
    ['an answer', answerText(ANSWER, PASSAGES, 'en')],
    ['a long word', 'a'.repeat(1_000)],
    ['emoji', '😀'.repeat(500)],
    ['white space', ' '.repeat(100_000)],
    ['nothing', ''],
  ])('the parts of %s are valid and together the text', (_, text) => {
    const parts = textParts(text, 80);
    expect(parts.join('')).toBe(text);
    expect(parts.every((part) => part !== '' && part.length <= 120 && part.isWellFormed())).toBe(true);
  });
});
