const USUAL = [',', ';', '\t', '|'];
/** Delimiters of few programs: they stand in ordinary cells, too, so every line must have as many of them. */
const RARE = ['^', '~', '¦', '§', '#', ':'];
const DELIMITERS = [...USUAL, ...RARE];
const SAMPLE_LINES = 50;
const SAMPLE = 65_536;
/** Share of the lines in which a usual delimiter stands. */
const HALF = 0.5;
/** Fewer lines agree by chance. */
const LEAST_LINES = 2;
/** One rare delimiter in each line is part of a list, such as the colon of its addresses or labels. */
const LEAST_RARE = 2;
/** Lines before a table, such as its title and comments. */
export const MOST_BEFORE = 10;
/** Colons of times and of addresses delimit nothing. */
const TIME_OR_SCHEME = /(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])|:\/\//g;

/** Counts each delimiter in a line, outside of quotes. */
const countsIn = (line: string): number[] => {
  const counts = DELIMITERS.map(() => 0);
  let isQuoted = false;
  for (const character of line.replace(TIME_OR_SCHEME, '')) {
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
  /** Lines with the same number of it, and that number. */
  readonly lines: number;
  readonly count: number;
  /** Lines with any, and the index of the first of them; -1 for none. */
  readonly all: number;
  readonly first: number;
}

const candidatesIn = (lines: readonly string[]): readonly Candidate[] => {
  const counts = lines.map(countsIn);
  return DELIMITERS.map((delimiter, index) => {
    const each = counts.map((line) => line[index] ?? 0);
    const all = each.filter((count) => count > 0).length;
    return { delimiter, ...agreement(each), all, first: each.findIndex((count) => count > 0) };
  });
};

/** Whether a usual delimiter stands in half of the lines, or of those behind a title where several of them agree. */
const divides = ({ lines, all, first }: Candidate, total: number): boolean => {
  if (lines === 0) return false;
  const follows = first <= MOST_BEFORE && lines >= LEAST_LINES && lines >= (total - first) * HALF;
  return follows || all >= total * HALF;
};

const best = (candidates: readonly Candidate[]): Candidate | undefined =>
  candidates.toSorted((one, other) => other.lines - one.lines || other.count - one.count)[0];

/**
 * The delimiter of a table: the one with the same count in most lines. A usual one in few lines belongs to the text of
 * the cells; a rare one then delimits where all lines agree on two or more.
 */
export const delimiterOf = (text: string): string => {
  const lines = text
    .slice(0, SAMPLE)
    .split('\n', SAMPLE_LINES)
    .filter((line) => line.trim() !== '');
  const candidates = candidatesIn(lines);
  const usual = best(candidates.slice(0, USUAL.length).filter((each) => divides(each, lines.length)));
  if (usual !== undefined) return doubled(usual.delimiter, lines);
  const agreed = candidates
    .slice(USUAL.length)
    .filter(({ lines: agreeing, count }) => agreeing === lines.length && count >= LEAST_RARE);
  const rare = lines.length >= LEAST_LINES ? best(agreed) : undefined;
  return rare === undefined ? NONE : doubled(rare.delimiter, lines);
};

/** A table of one column has no delimiter: no text contains this character, which the cleaning removes. */
const NONE = '\u001f';
