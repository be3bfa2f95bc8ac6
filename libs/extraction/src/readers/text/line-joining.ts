const BROKEN_WORD = /\p{Ll}-$/u;
const COMPOUND = /[\p{L}\p{N}]-$/u;
const BEGINS_LOW = /^\p{Ll}/u;
const BEGINS_WORD = /^[\p{L}\p{N}]/u;
const WITHOUT_SPACES = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;

/** A line as it is written before another one: without the hyphen that broke a word, with a space where words part. */
const before = (next: string | undefined, line: string): string => {
  if (next === undefined) return line;
  const end = line.slice(-3);
  if (BROKEN_WORD.test(end) && BEGINS_LOW.test(next)) return line.slice(0, -1);
  if (COMPOUND.test(end) && BEGINS_WORD.test(next)) return line;
  const isUnspaced = WITHOUT_SPACES.test(line.slice(-1)) && WITHOUT_SPACES.test(next.slice(0, 1));
  return isUnspaced ? line : `${line} `;
};

/**
 * One paragraph of its lines. A word that was broken at the end of a line becomes whole; a hyphen stays before a
 * capital or a figure, where it belongs to the word.
 */
export const joinLines = (lines: readonly string[]): string => {
  const written = lines.map((line) => line.trim()).filter((line) => line !== '');
  return written.map((line, index) => before(written[index + 1], line)).join('');
};
