import type { ExtractedText, Heading } from './extracted-text';
import { detectLanguage, type LanguageCode } from './languages';
import { type Range, sentences } from './sentences';

/** A passage: `text` equals the extracted text at [start, end). */
export interface Chunk extends Range {
  readonly ordinal: number;
  readonly page: number | null;
  readonly text: string;
  /** The headings above the passage, highest first, joined by ` › `. */
  readonly context: string;
  readonly language: LanguageCode;
}

export interface ChunkOptions {
  /** Size that chunks are filled up to, in characters. */
  readonly target: number;
  /** Size that no chunk exceeds; a longer sentence is cut between words. */
  readonly most: number;
}

export const defaultChunkOptions: ChunkOptions = { target: 900, most: 1_400 };

/** Where a piece that is too long may be cut: after white space, and never inside a pair of surrogates. */
const cutPoint = (text: string, start: number, most: number): number => {
  const limit = start + most;
  for (let index = limit; index > start + most / 2; index -= 1) if (/\s/.test(text[index - 1] ?? '')) return index;
  const low = text.charCodeAt(limit);
  return low >= 0xdc00 && low <= 0xdfff ? limit - 1 : limit;
};

const cutLong = (text: string, range: Range, most: number): Range[] => {
  const pieces: Range[] = [];
  let { start } = range;
  while (range.end - start > most) {
    const end = cutPoint(text, start, most);
    pieces.push({ start, end });
    start = end;
  }
  return [...pieces, { start, end: range.end }];
};

/** Packs pieces that follow each other into runs of about the target size. */
const pack = (pieces: readonly Range[], { target, most }: ChunkOptions): Range[] => {
  const runs: Range[] = [];
  let open: Range | undefined;
  for (const piece of pieces) {
    const joined: Range = { start: open?.start ?? piece.start, end: piece.end };
    const size = joined.end - joined.start;
    const full = open !== undefined && (open.end - open.start >= target || size > most);
    if (full && open !== undefined) runs.push(open);
    open = full ? piece : joined;
  }
  return open === undefined ? runs : [...runs, open];
};

/** Stretches of text that no chunk crosses: pages, and the sections between headings. */
const sections = ({ text, pages, headings }: ExtractedText): { range: Range; page: number | null }[] => {
  const wholes = pages.length === 0 ? [{ start: 0, end: text.length, number: null }] : pages;
  return wholes.flatMap(({ start, end, number }) => {
    const starts = [start, ...headings.map((heading) => heading.start).filter((at) => at > start && at < end)];
    return starts.map((from, index) => ({ range: { start: from, end: starts[index + 1] ?? end }, page: number }));
  });
};

const contextAt = (headings: readonly Heading[], position: number): string => {
  const path: Heading[] = [];
  for (const heading of headings) {
    if (heading.start > position) break;
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= heading.level) path.pop();
    path.push(heading);
  }
  return path.map(({ title }) => title).join(' › ');
};

/** Sections too small to stand alone join their neighbour on the same page, so that a list of headings is one chunk. */
const joinSmall = (
  parts: readonly { range: Range; page: number | null }[],
  least: number,
): { range: Range; page: number | null }[] => {
  const joined: { range: Range; page: number | null }[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && last.page === part.page && last.range.end - last.range.start < least)
      joined[joined.length - 1] = { page: last.page, range: { start: last.range.start, end: part.range.end } };
    else joined.push(part);
  }
  return joined;
};

/**
 * Cuts a text into passages by page, section and sentence. Every character that is not white space stands in exactly
 * one of them, in order.
 */
export const chunk = (document: ExtractedText, options: ChunkOptions = defaultChunkOptions): Chunk[] => {
  const { text, headings } = document;
  const whole = detectLanguage(text) ?? 'es';
  const runs = joinSmall(sections(document), options.target / 4).flatMap(({ range, page }) => {
    const pieces = sentences(text, range).flatMap((sentence) => cutLong(text, sentence, options.most));
    return pack(pieces, options).map((run) => ({ ...run, page }));
  });
  return runs.map(({ start, end, page }, ordinal) => {
    const body = text.slice(start, end);
    return {
      ordinal,
      start,
      end,
      page,
      text: body,
      context: contextAt(headings, start),
      language: detectLanguage(body) ?? whole,
    };
  });
};
