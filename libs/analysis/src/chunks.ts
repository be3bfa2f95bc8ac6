import { Contexts } from './context';
import type { ExtractedText, Table } from './extracted-text';
import { detectLanguage, languageOf } from './languages/detect';
import { defaultLanguages, type LanguageCode, type Languages } from './languages/table';
import { type Piece, piecesOf } from './pieces';
import type { Range } from './sentences';
import { countTokens } from './token-count';

/** A passage: `text` equals the extracted text at [start, end). */
export interface Chunk extends Range {
  readonly ordinal: number;
  /** The page of all its text; null for text that stands on no page. */
  readonly page: number | null;
  readonly text: string;
  /** Title and headings above the passage, joined by ` › `; below them caption and columns of the table it begins in. */
  readonly context: string;
  readonly language: LanguageCode;
}

/** How texts are cut; sizes in tokens, as `countTokens` counts them. */
export interface ChunkOptions {
  /** Target size of a chunk. */
  readonly target: number;
  /** Maximum size of a chunk; a longer sentence or row is cut between words. */
  readonly most: number;
  /** Languages that detection distinguishes for passages. */
  readonly languages: Languages;
}

/** Measured in docs/adr/0007-search-quality.md. With its prefix and its context the largest fits a window of 512. */
export const defaultChunkOptions: ChunkOptions = { target: 320, most: 420, languages: defaultLanguages };

interface Section {
  readonly range: Range;
  readonly page: number | null;
}

/** The pages of a text, and the text outside of all pages, in order. */
const wholesOf = ({ text, pages }: ExtractedText): (Range & { readonly number: number | null })[] => {
  let at = 0;
  const wholes = pages.flatMap((page) => {
    const before = { start: at, end: page.start, number: null };
    at = page.end;
    return before.start < before.end ? [before, page] : [page];
  });
  return at < text.length ? [...wholes, { start: at, end: text.length, number: null }] : wholes;
};

/** Parts of a text that no chunk crosses: pages, and the sections between headings. */
const sections = (document: ExtractedText): Section[] => {
  const { headings } = document;
  let next = 0;
  return wholesOf(document).flatMap(({ start, end, number }) => {
    const starts = [start];
    for (let at = headings[next]?.start; at !== undefined && at < end; at = headings[next]?.start) {
      if (at > start) starts.push(at);
      next += 1;
    }
    return starts.map((from, index) => ({ range: { start: from, end: starts[index + 1] ?? end }, page: number }));
  });
};

/** Sections too small to stand alone join their neighbour on the same page, so that a list of headings is one chunk. */
const joinSmall = (parts: readonly Section[], least: number): Section[] => {
  const joined: Section[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last !== undefined && last.page === part.page && last.range.end - last.range.start < least)
      joined[joined.length - 1] = { page: last.page, range: { start: last.range.start, end: part.range.end } };
    else joined.push(part);
  }
  return joined;
};

/** A run of pieces that becomes a chunk. */
interface Run extends Piece {
  /** The table that does not share its chunks, because it is too large for one. */
  readonly alone: Table | undefined;
}

/** The tables that do not fit into a chunk, each with the tokens of the row that names its columns. */
const largeTables = (text: string, pieces: readonly Piece[], target: number): ReadonlyMap<Table, number> => {
  const sizes = new Map<Table, number>();
  for (const { table, tokens } of pieces) if (table !== undefined) sizes.set(table, (sizes.get(table) ?? 0) + tokens);
  const headerOf = ({ header }: Table): number =>
    header === null ? 0 : countTokens(text.slice(header.start, header.end));
  return new Map([...sizes].filter(([, tokens]) => tokens > target).map(([table]) => [table, headerOf(table)]));
};

/** Packs pieces that follow each other into runs of about the target size. */
const pack = (text: string, pieces: readonly Piece[], { target, most }: ChunkOptions): Run[] => {
  const runs: Run[] = [];
  const large = largeTables(text, pieces, target);
  for (const piece of pieces) {
    const open = runs.at(-1);
    const alone = piece.table !== undefined && large.has(piece.table) ? piece.table : undefined;
    // The context of rows includes the names of their columns, which count towards the size.
    const header = alone === undefined ? 0 : Math.min(large.get(alone) ?? 0, target / 2);
    const size = (open?.tokens ?? 0) + piece.tokens;
    const joins = open !== undefined && open.alone === alone && open.tokens + header < target && size + header <= most;
    if (joins) runs[runs.length - 1] = { ...open, end: piece.end, tokens: size };
    else runs.push({ ...piece, alone });
  }
  return runs;
};

/**
 * Cuts a text into passages by page, section, row and sentence. Every character except white space is in exactly one
 * passage, in order.
 */
export const chunk = (document: ExtractedText, options: ChunkOptions = defaultChunkOptions): Chunk[] => {
  const { text } = document;
  const whole = languageOf(text, options.languages);
  const runs = joinSmall(sections(document), options.target).flatMap(({ range, page }) =>
    pack(text, piecesOf(document, range, options.most), options).map((run) => ({ ...run, page })),
  );
  const contexts = new Contexts(document);
  return runs.map(({ start, end, page, table }, ordinal) => {
    const body = text.slice(start, end);
    const context = contexts.at(start, table);
    return {
      ordinal,
      start,
      end,
      page,
      text: body,
      context,
      language: detectLanguage(body, options.languages) ?? whole,
    };
  });
};
