import { foldAddress } from './address';

describe('a folded address', () => {
  const characters = Array.from({ length: 0x20000 }, (_, point) => point)
    .filter((point) => point < 0xd800 || point >= 0xe000)
    .map((point) => String.fromCodePoint(point));
  const isStable = (text: string): boolean => foldAddress(text) === foldAddress(foldAddress(text));

  it('every character stays as it is folded, alone and before a mark', () => {
    const marks = ['\u0301', '\u0307', '\u0323', '\u0345'];
    const marked = characters.slice(0, 0x2000).flatMap((character) => marks.map((mark) => `${character}${mark}`));
    expect([...characters, ...marked].filter((text) => !isStable(text))).toEqual([]);
  });
  it.each([
    ['ANA@Example.TEST', 'ana@example.test'],
    ['JOSE\u0301@example.test', 'jos\u00e9@example.test'],
    ['\u212Aate@example.test', 'kate@example.test'],
  ])('%j is folded to %j', (typed, folded) => {
    expect(foldAddress(typed)).toBe(folded);
  });
  it('a dotted capital I is another letter than i', () => {
    expect(foldAddress('\u0130nes@example.test')).not.toBe('ines@example.test');
  });
});
