const BROKEN_WORD = /\p{Ll}-$/u;
const COMPOUND = /[\p{L}\p{N}]-$/u;
const BEGINS_LOW = /^\p{Ll}/u;
const BEGINS_WORD = /^[\p{L}\p{N}]/u;
const WITHOUT_SPACES = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;

/** A line with its joint to the next one: without the hyphen of a broken word, with a space between words. */
const before = (next: string | undefined, line: string): string => {
  if (next === undefined) return line;
  const end = line.slice(-3);
  if (BROKEN_WORD.test(end) && BEGINS_LOW.test(next)) return line.slice(0, -1);
  if (COMPOUND.test(end) && BEGINS_WORD.test(next)) return line;
  const isUnspaced = WITHOUT_SPACES.test(line.slice(-1)) && WITHOUT_SPACES.test(next.slice(0, 1));
  return isUnspaced ? line : `${line} `;
};

/**
 * Joins lines into one paragraph. A word that was broken at a line end becomes whole. A hyphen stays before a capital
 * or a digit, where it belongs to the word.
 */
export const joinLines = (lines: readonly string[]): string => {
  const written = lines.map((line) => line.trim()).filter((line) => line !== '');
  return written.map((line, index) => before(written[index + 1], line)).join('');
};
