import { SegmentDraft } from '../src/readers/pdf/segment-draft';

/** Writes letters of ten points, each six wide; `gaps` are the widths before letters, by index. */
const written = (text: string, gaps: Readonly<Record<number, number>> = {}, size = 10): string => {
  const draft = new SegmentDraft(0);
  let at = 0;
  [...text].forEach((character, index) => {
    at += gaps[index] ?? 0;
    const letter = { code: character.codePointAt(0) ?? 0, left: at, right: at + 6, base: 0, size };
    if (character === ' ') draft.space();
    else draft.add(letter);
    at += 6;
  });
  return draft.finish(false).text;
};

describe('a segment of a line', () => {
  it('a drawn gap and a written space both give a space', () => {
    expect(written('unodos tres', { 3: 2 })).toBe('uno dos tres');
  });
  it('a letter-spaced word has no spaces', () => {
    expect(written('TEMA uno', { 1: 3, 2: 3, 3: 3 })).toBe('TEMA uno');
  });
  it('a segment has no space at its start or end', () => {
    expect(written(' uno ')).toBe('uno');
  });
  it('ligatures are expanded and bullets shown', () => {
    expect(written('\uf0b7 oﬁcina')).toBe('• oficina');
  });
  it('an index stays with its word, and a formula stays whole', () => {
    const draft = new SegmentDraft(0);
    const letters: [string, number, number][] = [
      ['H', 0, 10],
      ['2', 6.4, 7],
      ['O', 13, 10],
      ['x', 19, 10],
      ['2', 25, 7],
      [',', 31.6, 10],
    ];
    for (const [character, left, size] of letters)
      draft.add({ code: character.charCodeAt(0), left, right: left + 6, base: 0, size });
    expect(draft.finish(false).text).toBe('H2Ox2 ,');
  });
});

describe('an accent that is drawn over a letter', () => {
  const over = (accent: string, letter: string, left = 0.5): string => {
    const draft = new SegmentDraft(0);
    draft.add({ code: accent.charCodeAt(0), left: 0, right: 5, base: 0, size: 10 });
    draft.add({ code: letter.charCodeAt(0), left, right: left + 6, base: 0, size: 10 });
    return draft.finish(false).text;
  };

  it.each([
    ['´', 'o', 'ó'],
    ['˜', 'n', 'ñ'],
    ['¨', 'ı', 'ï'],
    ['¸', 'c', 'ç'],
    ['ˇ', 'S', 'Š'],
  ])('accent and letter are combined: %s and %s', (accent, letter, both) => {
    expect(over(accent, letter)).toBe(both);
  });
  it('an accent beside a letter, or without a match, stays separate', () => {
    expect(over('´', '3')).toBe('´3');
    expect(over('~', 'n', 5)).toBe('~n');
  });
});

describe('a letter beside a segment', () => {
  const takes = (left: number, base = 0, code = 97): boolean => {
    const draft = new SegmentDraft(0);
    draft.add({ code, left: 0, right: 6, base: 0, size: 10 });
    return draft.takes({ code, left, right: left + 6, base, size: 10 });
  };

  it.each([
    ['right behind it', true, 6, 0],
    ['behind a space', true, 10, 0],
    ['raised as an index', true, 6, -4],
    ['behind a wide gap', false, 30, 0],
    ['back at the start', false, -20, 0],
    ['on the next line', false, 6, 12],
  ])('a letter %s: does it continue the segment? %p', (_where, answer, left, base) => {
    expect(takes(left, base)).toBe(answer);
  });
  it('a letter continues a right-to-left segment to the left', () => {
    expect(takes(-6, 0, 0x5d0)).toBe(true);
  });
});
