import fc from 'fast-check';
import { comparable, FoldedText } from './folded-text';

const quote = (text: string, sought: string): string | undefined => {
  const folded = new FoldedText(text);
  const place = folded.folded.indexOf(comparable(sought));
  if (place < 0) return undefined;
  const { start, end } = folded.range(place, place + comparable(sought).length);
  return text.slice(start, end);
};

describe('folded texts', () => {
  it.each([
    ['El CONTRATO n.º 5', 'contrato', 'CONTRATO'],
    ['La Cláusula única', 'clausula unica', 'Cláusula única'],
    ['fuerza\n   mayor.', 'fuerza mayor', 'fuerza\n   mayor'],
    ['Straße 5', 'strasse', 'Straße'],
    ['café negro', 'CAFÉ', 'café'],
    ['oﬃce', 'ff', 'ﬃ'],
    ['aa\u0301  b', 'a', 'a'],
  ])('a range of %p that equals %p is %p to the letter', (text, sought, expected) => {
    expect(quote(text, sought)).toBe(expected);
  });
  it('every place of a folded text leads back to a place of the text, in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const folded = new FoldedText(text);
        const places = Array.from({ length: folded.folded.length }, (_, place) => folded.origin(place));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places.every((place, index) => index === 0 || place < text.length)).toBe(true);
      }),
    );
  });
  it('the text at a range folds to what was sought', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aáÁ ñß\n\u00a0bE\u0301ﬁ') });
    fc.assert(
      fc.property(letters, letters, letters, (before, word, after) => {
        const sought = comparable(word).trim();
        fc.pre(sought !== '');
        expect(comparable(quote(before + word + after, sought) ?? '')).toContain(sought);
      }),
    );
  });
});
