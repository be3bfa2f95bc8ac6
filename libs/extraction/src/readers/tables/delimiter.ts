const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE_LINES = 50;
const SAMPLE = 65_536;

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

/** The delimiter of a table: the one with the same count in most lines. */
export const delimiterOf = (text: string): string => {
  const lines = text
    .slice(0, SAMPLE)
    .split('\n', SAMPLE_LINES)
    .filter((line) => line.trim() !== '');
  const counts = lines.map(countsIn);
  const ranked = DELIMITERS.map((delimiter, index) => ({
    delimiter,
    ...agreement(counts.map((line) => line[index] ?? 0)),
  })).sort((one, other) => other.lines - one.lines || other.count - one.count);
  return ranked[0]?.delimiter ?? ',';
};
