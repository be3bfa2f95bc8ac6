import { SUMMARY_LENGTH, summaryLength } from '@acervo/analysis';
import { MOST_LISTED_CHUNKS } from '@acervo/contracts';
import { beginningOf, bestSentences, type SentenceSource, type TermWeights } from './best-sentences';

/** How much text a document has. */
export interface DocumentSize {
  readonly chunkCount: number;
  /** Characters of its chunks; fewer for a long document, of which only the first chunks are counted. */
  readonly characters: number;
}

/** A document with fewer chunks shows one passage, longer ones up to half of their text. */
const MANY_CHUNKS = 4;
const SHARE_OF_MANY = 0.5;
const SHARE_OF_FEW = 0.6;
/** Most characters of the opening of a document among many. */
export const MOST_OPENING = 2_000;
/** What stands between two chunks of an opening. */
const BETWEEN = '\n\n';
/** A passage after the first is cut to no fewer characters; it is left out instead. */
const LEAST_CUT = 100;

const hasFew = ({ chunkCount }: DocumentSize): boolean => chunkCount < MANY_CHUNKS;

/** A text that may be its own summary. */
const isShort = ({ characters }: DocumentSize): boolean => characters <= SUMMARY_LENGTH;

/** Most characters of a document that one answer contains. */
export const mostCharacters = (size: DocumentSize): number => {
  if (!hasFew(size)) return Math.floor(size.characters * SHARE_OF_MANY);
  return isShort(size) ? size.characters : Math.floor(size.characters * SHARE_OF_FEW);
};

/** A passage: the text of a chunk from `offset`, to the letter. */
export interface Excerpt<C> {
  readonly chunk: C;
  readonly offset: number;
  readonly text: string;
}

/** What an answer to a query contains of a document. */
export interface Excerpts<C> {
  readonly summary: string;
  readonly passages: readonly Excerpt<C>[];
}

/** A document that a query found. */
export interface ExcerptSource<C extends SentenceSource> {
  readonly size: DocumentSize;
  readonly summary: string;
  /** Its chunks, best first. */
  readonly chunks: readonly C[];
}

const cutTo = <C extends SentenceSource>(chunk: C, most: number, query: TermWeights): Excerpt<C> | undefined => {
  if (chunk.text.length <= most) return { chunk, offset: 0, text: chunk.text };
  const range = bestSentences(chunk, most, query);
  return range && { chunk, offset: range.start, text: chunk.text.slice(range.start, range.end) };
};

/**
 * What may leave of a document in the answer to a query (ADR 19): one passage of a document with few chunks, else
 * passages that are together with the summary at most half of the text.
 */
export const excerptsOf = <C extends SentenceSource>(
  { size, summary, chunks }: ExcerptSource<C>,
  query: TermWeights,
): Excerpts<C> => {
  const shown = beginningOf(summary, summaryLength(size.characters));
  const besideSummary = hasFew(size) || isShort(size) ? 0 : shown.length;
  const passages: Excerpt<C>[] = [];
  let left = mostCharacters(size) - besideSummary;
  for (const chunk of hasFew(size) ? chunks.slice(0, 1) : chunks) {
    const fits = passages.length === 0 || chunk.text.length <= left || left >= LEAST_CUT;
    const passage = fits ? cutTo(chunk, left, query) : undefined;
    if (passage === undefined) continue;
    passages.push(passage);
    left -= passage.text.length;
  }
  return { summary: shown, passages };
};

/** How many chunks of a document are listed without a query: half of them, and the only one of a single one. */
export const listedChunks = (chunkCount: number): number =>
  chunkCount === 1 ? 1 : Math.min(MOST_LISTED_CHUNKS, Math.floor(chunkCount / 2));

/** The first chunks, of at most `most` characters with what stands between them. */
const leading = <C extends { readonly text: string }>(
  { chunkCount }: DocumentSize,
  chunks: readonly C[],
  most: number,
  between = 0,
): Excerpt<C>[] => {
  const excerpts: Excerpt<C>[] = [];
  let left = most;
  for (const chunk of chunks.slice(0, listedChunks(chunkCount))) {
    const text = left > 0 ? beginningOf(chunk.text, left) : '';
    if (text !== '') excerpts.push({ chunk, offset: 0, text });
    left -= text.length + between;
    if (text.length < chunk.text.length) break;
  }
  return excerpts;
};

/** What may leave of a document without a query: its first chunks; of a single chunk the first 60 %. */
export const firstExcerpts = <C extends { readonly text: string }>(
  size: DocumentSize,
  chunks: readonly C[],
): Excerpt<C>[] =>
  leading(size, chunks, size.chunkCount === 1 ? Math.floor(size.characters * SHARE_OF_FEW) : mostCharacters(size));

/** How a document among many begins. */
export interface Opening<C> {
  readonly text: string;
  readonly excerpts: readonly Excerpt<C>[];
}

/** The opening of a document, however short it is: at most half of its characters, and `MOST_OPENING`. */
export const openingOf = <C extends { readonly text: string }>(
  size: DocumentSize,
  chunks: readonly C[],
): Opening<C> => {
  const most = Math.min(MOST_OPENING, Math.floor(size.characters * SHARE_OF_MANY));
  const excerpts = leading(size, chunks, most, BETWEEN.length);
  return { text: excerpts.map(({ text }) => text).join(BETWEEN), excerpts };
};
