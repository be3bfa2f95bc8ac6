import { languageNamed, type Range, sentences, tokenize } from '@acervo/analysis';

/** How much each term of a query counts. */
export type TermWeights = ReadonlyMap<string, number>;

/** The weights of terms that are repeated by their weight, as `queryTerms` writes them. */
export const weightsOf = (terms: string): TermWeights => {
  const weights = new Map<string, number>();
  for (const term of terms.split(' ')) if (term !== '') weights.set(term, (weights.get(term) ?? 0) + 1);
  return weights;
};

const isInsideCharacter = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
};

/** Where a part of at most `most` characters ends: after a line, else after a word, never inside a character. */
const cutPoint = (text: string, start: number, most: number): number => {
  const limit = start + most;
  const half = start + most / 2;
  const line = text.lastIndexOf('\n', limit - 1);
  if (line >= half) return line + 1;
  for (let at = limit; at > half; at -= 1) if (/\s/.test(text[at] ?? '')) return at;
  return isInsideCharacter(text, limit) ? limit - 1 : limit;
};

/** The beginning of a text, of at most `most` characters, cut after a word. */
export const beginningOf = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, cutPoint(text, 0, most)).trimEnd();

/** A range in parts of at most `most` characters, without the white space between them. */
const cutLong = (text: string, { start, end }: Range, most: number): Range[] => {
  const parts: Range[] = [];
  for (let from = start; from < end;) {
    const until = end - from <= most ? end : cutPoint(text, from, most);
    const part = text.slice(from, until);
    const head = from + part.length - part.trimStart().length;
    if (head < until) parts.push({ start: head, end: from + part.trimEnd().length });
    from = until;
  }
  return parts;
};

const PARTS = 4;

/** Sentences that are no longer than `most`; longer ones, such as tables without marks, are cut. */
const unitsOf = (text: string, most: number): Range[] =>
  sentences(text).flatMap((sentence) =>
    sentence.end - sentence.start <= most ? [sentence] : cutLong(text, sentence, Math.max(2, Math.ceil(most / PARTS))),
  );

interface Match {
  readonly range: Range;
  /** Weight of the distinct terms. */
  readonly covered: number;
  /** Weight of all occurrences. */
  readonly total: number;
}

const isBetter = (one: Match, other: Match): boolean =>
  one.covered > other.covered || (one.covered === other.covered && one.total > other.total);

/** The terms of each unit that the query has, and their weights: a term of fewer units counts more. */
const matchesOf = (text: string, units: readonly Range[], language: string, query: TermWeights) => {
  const terms = units.map(({ start, end }) => {
    const tokens = tokenize(text.slice(start, end), languageNamed(language));
    return new Set(tokens.filter((token) => query.has(token)));
  });
  const counts = new Map<string, number>();
  for (const term of terms.flatMap((each) => [...each])) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weights = new Map(
    [...counts].map(([term, count]) => [term, (query.get(term) ?? 0) * Math.log1p(units.length / count)]),
  );
  return { terms, weights };
};

/** The text that is searched for sentences. */
export interface SentenceSource {
  readonly text: string;
  readonly language: string;
}

/**
 * The consecutive sentences that match a query best, of at most `most` characters: those with the most of its terms,
 * then with the most occurrences, then the first. Undefined where no part fits.
 */
export const bestSentences = (
  { text, language }: SentenceSource,
  most: number,
  query: TermWeights,
): Range | undefined => {
  const units = unitsOf(text, most).filter(({ start, end }) => end - start <= most);
  const { terms, weights } = matchesOf(text, units, language, query);
  let best: Match | undefined;
  for (const [index, { start }] of units.entries()) {
    const seen = new Set<string>();
    let [end, covered, total] = [start, 0, 0];
    for (let next = index; next < units.length; next += 1) {
      const unit = units[next];
      if (unit === undefined || unit.end - start > most) break;
      ({ end } = unit);
      for (const term of terms[next] ?? []) {
        const weight = weights.get(term) ?? 0;
        total += weight;
        if (!seen.has(term)) covered += weight;
        seen.add(term);
      }
    }
    const match = { range: { start, end }, covered, total };
    if (best === undefined || isBetter(match, best)) best = match;
  }
  return best?.range;
};
