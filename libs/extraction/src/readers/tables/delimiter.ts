const USUAL = [',', ';', '\t', '|'];
/** Delimiters of few programs: they stand in ordinary cells, too, so that every line must have as many of them. */
const RARE = ['^', '~', '¦', '§', '#', ':'];
const DELIMITERS = [...USUAL, ...RARE];
const SAMPLE_LINES = 50;
const SAMPLE = 65_536;
/** Share of the lines in which a usual delimiter stands. */
const HALF = 0.5;
/** Fewer lines agree by chance. */
const LEAST_LINES = 2;

/** Counts each delimiter in a line, outside of quotes. */
const countsIn = (line: string): number[] => {
  const counts = DELIMITERS.map(() => 0);
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    const index = isQuoted ? -1 : DELIMITERS.indexOf(character);
    if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
};

/** The most frequent count above 0, and the number of lines with it. */
const agreement = (counts: readonly number[]): { lines: number; count: number } => {
  const votes = new Map<number, number>();
  for (const count of counts) if (count > 0) votes.set(count, (votes.get(count) ?? 0) + 1);
  return [...votes].reduce(
    (best, [count, lines]) =>
      lines > best.lines || (lines === best.lines && count > best.count) ? { lines, count } : best,
    { lines: 0, count: 0 },
  );
};

/** Some programs write a delimiter twice; then no line has it once. */
const doubled = (delimiter: string, lines: readonly string[]): string => {
  const pair = delimiter + delimiter;
  const isAlwaysDouble = lines.every((line) => line.includes(pair) && !line.replaceAll(pair, '').includes(delimiter));
  return isAlwaysDouble && lines.length >= LEAST_LINES ? pair : delimiter;
};

interface Candidate {
  readonly delimiter: string;
  /** Lines with the same number of it, that number, and the lines with any. */
  readonly lines: number;
  readonly count: number;
  readonly all: number;
}

const best = (candidates: readonly Candidate[]): Candidate | undefined =>
  candidates.toSorted((one, other) => other.lines - one.lines || other.count - one.count)[0];

/**
 * The delimiter of a table: the one with the same count in most lines. A usual one in few lines belongs to the text of
 * the cells; a rare one then delimits where all lines agree.
 */
export const delimiterOf = (text: string): string => {
  const lines = text
    .slice(0, SAMPLE)
    .split('\n', SAMPLE_LINES)
    .filter((line) => line.trim() !== '');
  const counts = lines.map(countsIn);
  const candidates = DELIMITERS.map((delimiter, index): Candidate => {
    const each = counts.map((line) => line[index] ?? 0);
    return { delimiter, ...agreement(each), all: each.filter((count) => count > 0).length };
  });
  const usual = best(candidates.slice(0, USUAL.length).filter(({ all }) => all >= lines.length * HALF));
  if (usual !== undefined && usual.lines > 0) return doubled(usual.delimiter, lines);
  const agreed = candidates.slice(USUAL.length).filter((rare) => rare.lines === lines.length);
  const rare = lines.length >= LEAST_LINES ? best(agreed) : undefined;
  return rare === undefined ? NONE : doubled(rare.delimiter, lines);
};

/** A table of one column has no delimiter: no text contains this character, which the cleaning removes. */
const NONE = '\u001f';
