import type { Range } from '@acervo/analysis';
import type { NamedDocument } from './result-records';
import type { Passage } from './passages';
import { isResult, type Source } from './sources';

/** Where a sentence of an answer stands: `quote` is `text.slice(start, end)` of its passage, or records of a result. */
export interface Citation extends Range {
  /** Number in the answer, from 1 in the order of first use. Passages of one page of a document share it. */
  readonly number: number;
  /** Number of the passage, or of the result. */
  readonly passage: number;
  readonly quote: string;
  /** The documents that the quoted records of a result name. */
  readonly documents?: readonly NamedDocument[];
  /** Whether a quoted record of a result names no document. */
  readonly statesRecords?: boolean;
}

export interface AnswerSentence {
  /** One line without links, images, HTML and marks. */
  readonly text: string;
  /** At least one. */
  readonly citations: readonly Citation[];
}

/** An answer of cited sentences; one without sentences is an abstention. */
export interface CitedAnswer {
  readonly sentences: readonly AnswerSentence[];
}

/** A document that an answer names at its end. */
export interface DocumentSource {
  readonly number: number;
  readonly documentCode: string;
  readonly documentName: string;
  readonly page: number | null;
  readonly url: string;
}

/** A source that an answer names at its end: a document, or the operation that answered. */
export type AnswerSource = DocumentSource | { readonly number: number; readonly operation: string };

/** A sentence before its citations are numbered. */
export interface SentenceDraft {
  readonly text: string;
  readonly citations: readonly Omit<Citation, 'number'>[];
}

/** Passages of one page share a number; each result has its own. */
const sourceKey = (source: Source): string =>
  JSON.stringify(isResult(source) ? [source.number] : [source.documentCode, source.page]);

/** Numbers citations by their first use: one number for each page of a document. */
export const numbered = (drafts: readonly SentenceDraft[], passages: readonly Source[]): readonly AnswerSentence[] => {
  const keys = new Map(passages.map((passage) => [passage.number, sourceKey(passage)]));
  const numbers = new Map<string, number>();
  const numberOf = (passage: number): number => {
    const key = keys.get(passage) ?? '';
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return number;
  };
  return drafts.map(({ text, citations }) => ({
    text,
    citations: citations.map((citation) => ({ number: numberOf(citation.passage), ...citation })),
  }));
};

const documentSource = (number: number, { documentCode, documentName, page, url }: Passage): DocumentSource => ({
  ...{ number, documentCode, documentName, page, url },
});

/** The sources of an answer, by number. */
export const sourcesOf = ({ sentences }: CitedAnswer, passages: readonly Source[]): readonly AnswerSource[] => {
  const byNumber = new Map(passages.map((passage) => [passage.number, passage]));
  const sources = new Map<number, AnswerSource>();
  for (const { number, passage } of sentences.flatMap(({ citations }) => citations)) {
    const found = byNumber.get(passage);
    if (found === undefined || sources.has(number)) continue;
    sources.set(number, isResult(found) ? { number, operation: found.operation } : documentSource(number, found));
  }
  return [...sources.values()].toSorted((a, b) => a.number - b.number);
};
