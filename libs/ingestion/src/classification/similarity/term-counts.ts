import { type LanguageCode, tokenize } from '@acervo/analysis';

/** Characters at the beginning of a document that its terms are taken from. */
export const TERMS_READ = 6_000;
/** Pieces connect words that share a part, such as `cardiac` and `cardiology`. */
const PIECE = { length: 4, weight: 0.4 } as const;
const NUMBER = /^\d/;

/** Weights of the terms of a text: 1 + ln(count), pieces of words less than words. */
export type TermWeights = ReadonlyMap<string, number>;

const piecesOf = (token: string): string[] => {
  if (NUMBER.test(token)) return [];
  const marked = `<${token}>`;
  return Array.from({ length: Math.max(0, marked.length - PIECE.length + 1) }, (_, at) =>
    marked.slice(at, at + PIECE.length),
  );
};

const add = (counts: Map<string, number>, term: string): void => {
  counts.set(term, (counts.get(term) ?? 0) + 1);
};

/** The analysed terms of a text and their pieces. */
export const termWeights = (text: string, language: LanguageCode): TermWeights => {
  const [words, pieces] = [new Map<string, number>(), new Map<string, number>()];
  for (const token of tokenize(text.slice(0, TERMS_READ), language)) add(words, token);
  for (const [word, count] of words)
    for (const piece of piecesOf(word)) pieces.set(piece, (pieces.get(piece) ?? 0) + count);
  const weights = new Map<string, number>();
  // The mark keeps a word of four letters apart from a piece.
  for (const [word, count] of words) weights.set(`=${word}`, 1 + Math.log(count));
  for (const [piece, count] of pieces) weights.set(piece, PIECE.weight * (1 + Math.log(count)));
  return weights;
};
