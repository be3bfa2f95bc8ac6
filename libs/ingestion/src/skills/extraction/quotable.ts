import { type Range, sentences } from '@acervo/analysis';

/** Characters of a text that skills read. */
export const MOST_READ = 400_000;
const LONGEST_QUOTE = 700;
/** Characters before and after a place in a sentence that is too long to be quoted whole. */
const AROUND = 250;

/** The sentences of the text that skills read. */
export const readSentences = (text: string): Range[] =>
  sentences(text, { start: 0, end: Math.min(text.length, MOST_READ) });

/** Moves a place to the next white space, so that no quote begins or ends within a word. */
const atGap = (text: string, place: number, step: 1 | -1, limit: number): number => {
  let at = place;
  while (at !== limit && !/\s/.test(text[at] ?? ' ')) at += step;
  return at;
};

/** The quote of a place: its sentence, or the words around the place where the sentence is long. */
export const quotable = (text: string, sentence: Range, place: Range): Range => {
  if (sentence.end - sentence.start <= LONGEST_QUOTE) return sentence;
  const first = Math.max(sentence.start, place.start - AROUND);
  const last = Math.min(sentence.end, place.end + AROUND);
  let start = first === sentence.start ? first : atGap(text, first, 1, place.start);
  let end = last === sentence.end ? last : atGap(text, last, -1, place.end);
  while (start < place.start && /\s/.test(text[start] ?? '')) start += 1;
  while (end > place.end && /\s/.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
};
