import {
  countTokens,
  defaultLanguages,
  detectLanguage,
  type LanguageCode,
  type Languages,
  sentences,
} from '@acervo/analysis';
import { questionLanguage } from './question-language';
import type { FoundChunk, FoundDocument, SearchResult } from '@acervo/contracts';

/** A passage that an answer may cite: chunks of one document that follow each other on one page. */
export interface Passage {
  /** From 1, in the order in which a model reads the passages. */
  readonly number: number;
  readonly documentCode: string;
  readonly documentName: string;
  readonly url: string;
  readonly page: number | null;
  readonly chunkNumbers: readonly number[];
  readonly text: string;
  readonly language: LanguageCode;
  /** Best vector similarity among its chunks; null where all were found by words alone. */
  readonly similarity: number | null;
  /** The rank score of its document. */
  readonly score: number;
}

export interface PassageOptions {
  readonly most: number;
  /** Most tokens of all passages together, as `countTokens` counts them. */
  readonly mostTokens: number;
  /** Languages that detection distinguishes. */
  readonly languages: Languages;
}

export const DEFAULT_PASSAGES: PassageOptions = { most: 8, mostTokens: 6_000, languages: defaultLanguages };

/** A joint between two chunks that do not overlap. No quote goes across a blank line. */
const JOINT = '\n\n';
/** Fewer shared characters are chance. */
const LEAST_OVERLAP = 20;
const MOST_OVERLAP = 2_000;

interface Draft {
  readonly page: number | null;
  readonly chunkNumbers: readonly number[];
  readonly text: string;
  readonly similarity: number | null;
}

/** For each place of a text the length of the longest proper beginning that also ends there (Knuth, Morris, Pratt). */
const borders = (text: string): Uint32Array => {
  const lengths = new Uint32Array(text.length);
  for (let at = 1, length = 0; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = lengths[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    lengths[at] = length;
  }
  return lengths;
};

/** How many characters at the end of one text are the beginning of the next one. Linear. */
const overlapOf = (one: string, next: string): number => {
  const most = Math.min(one.length, next.length, MOST_OVERLAP);
  const beginning = next.slice(0, most);
  const lengths = borders(beginning);
  let length = 0;
  for (const character of Array.from({ length: most }, (_, at) => one[one.length - most + at])) {
    while (length > 0 && (length === most || character !== beginning[length])) length = lengths[length - 1] ?? 0;
    if (character === beginning[length]) length += 1;
  }
  return length >= LEAST_OVERLAP ? length : 0;
};

const highest = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.max(one, other);

const draftOf = ({ text, page, extra }: FoundChunk): Draft => ({
  ...{ page, similarity: extra.similarity, chunkNumbers: [extra.chunkNumber] },
  text: text.toWellFormed(),
});

const joined = (one: Draft, next: Draft): Draft => {
  const overlap = overlapOf(one.text, next.text);
  return {
    page: one.page,
    chunkNumbers: [...one.chunkNumbers, ...next.chunkNumbers],
    text: overlap > 0 ? one.text + next.text.slice(overlap) : `${one.text}${JOINT}${next.text}`,
    similarity: highest(one.similarity, next.similarity),
  };
};

/** Whether one draft continues another: the next chunk, on the same page, since a citation names one page. */
const continues = (one: Draft, next: Draft): boolean =>
  one.page === next.page && (one.chunkNumbers.at(-1) ?? -1) + 1 === next.chunkNumbers[0];

/** The passages of a document in the order of its best chunks; neighbours are joined in reading order. */
const draftsOf = ({ chunks }: FoundDocument): Draft[] => {
  const rank = new Map(chunks.map(({ extra }, index) => [extra.chunkNumber, index]));
  const drafts: Draft[] = [];
  for (const chunk of chunks.toSorted((a, b) => a.extra.chunkNumber - b.extra.chunkNumber)) {
    const [last, next] = [drafts.at(-1), draftOf(chunk)];
    if (last !== undefined && continues(last, next)) drafts[drafts.length - 1] = joined(last, next);
    else if (next.text.trim() !== '') drafts.push(next);
  }
  const rankOf = ({ chunkNumbers }: Draft): number =>
    Math.min(...chunkNumbers.map((number) => rank.get(number) ?? chunks.length));
  return drafts.toSorted((a, b) => rankOf(a) - rankOf(b));
};

/** The first sentences of a text, of at most so many tokens; empty where the first one has more. */
const beginningOf = (text: string, mostTokens: number): string => {
  let [tokens, end] = [0, 0];
  for (const sentence of sentences(text)) {
    tokens += countTokens(text.slice(sentence.start, sentence.end));
    if (tokens > mostTokens) break;
    ({ end } = sentence);
  }
  return text.slice(0, end);
};

/** The beginning of a text that has no end of a sentence within the limit: half of it, until it fits. */
const halved = (text: string, mostTokens: number): string => {
  let part = text;
  while (countTokens(part) > mostTokens) part = part.slice(0, part.length / 2);
  return part.toWellFormed();
};

/** The language of a passage; a short one has that of all passages of its document where its own is undecided. */
const passageLanguage = (text: string, { chunks }: FoundDocument, languages: Languages): LanguageCode => {
  const whole = chunks.map((chunk) => chunk.text).join('\n');
  return questionLanguage(text, detectLanguage(whole, languages) ?? languages[0], languages);
};

interface DocumentDraft {
  readonly document: FoundDocument;
  readonly draft: Draft;
}

/** Documents whose best passages come before any second one: that of the first document beats those of the last. */
const DISTINCT_DOCUMENTS = 5;

/** The best passage of each document by rank, then the second one of each, and so on. */
const roundRobin = (drafts: readonly (readonly DocumentDraft[])[]): DocumentDraft[] => {
  const most = Math.max(0, ...drafts.map(({ length }) => length));
  return Array.from({ length: most }, (_, round) => drafts.flatMap((each) => each[round] ?? [])).flat();
};

/** Passages by rank: the best ones of the leading documents, the second ones of these, and then those of the others. */
const ranked = (documents: readonly FoundDocument[]): DocumentDraft[] => {
  const drafts = documents.map((document) => draftsOf(document).map((draft) => ({ document, draft })));
  const leading = drafts.slice(0, DISTINCT_DOCUMENTS);
  const others = [...leading.map((each) => each.slice(2)), ...drafts.slice(DISTINCT_DOCUMENTS)];
  return [...roundRobin(leading.map((each) => each.slice(0, 2))), ...roundRobin(others)];
};

/**
 * The passages of a search that an answer is made from: distinct documents first, each text once, within the limits. The
 * first passage is cut where it alone exceeds them; a later one that does not fit is left out.
 */
export const passagesOf = (
  { documents }: Pick<SearchResult, 'documents'>,
  { most, mostTokens, languages }: PassageOptions = DEFAULT_PASSAGES,
): readonly Passage[] => {
  const passages: Passage[] = [];
  const texts = new Set<string>();
  let left = mostTokens;
  for (const { document, draft } of ranked(documents)) {
    if (passages.length === most) break;
    const isFirst = passages.length === 0;
    const text =
      isFirst && countTokens(draft.text) > left
        ? beginningOf(draft.text, left) || halved(draft.text, left)
        : draft.text;
    const tokens = countTokens(text);
    if (tokens > left || text === '' || texts.has(text)) continue;
    texts.add(text);
    left -= tokens;
    passages.push({
      ...{ ...draft, text, number: passages.length + 1, language: passageLanguage(text, document, languages) },
      ...{ documentCode: document.code, documentName: document.name, url: document.url, score: document.rrfScore },
    });
  }
  return passages;
};
