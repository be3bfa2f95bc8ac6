import type { Range } from '@acervo/analysis';
import type { Passage } from './passages';

/** Where a sentence of an answer stands: `quote` is `text.slice(start, end)` of its passage. */
export interface Citation extends Range {
  /** Number in the answer, from 1 in the order of first use. Passages of one page of a document share it. */
  readonly number: number;
  /** Number of the passage. */
  readonly passage: number;
  readonly quote: string;
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

/** A source that an answer names at its end. */
export interface AnswerSource {
  readonly number: number;
  readonly documentCode: string;
  readonly documentName: string;
  readonly page: number | null;
  readonly url: string;
}

/** A sentence before its citations are numbered. */
export interface SentenceDraft {
  readonly text: string;
  readonly citations: readonly Omit<Citation, 'number'>[];
}

const sourceKey = ({ documentCode, page }: Pick<Passage, 'documentCode' | 'page'>): string =>
  JSON.stringify([documentCode, page]);

/** Numbers citations by their first use: one number for each page of a document. */
export const numbered = (drafts: readonly SentenceDraft[], passages: readonly Passage[]): readonly AnswerSentence[] => {
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

/** The sources of an answer, by number. */
export const sourcesOf = ({ sentences }: CitedAnswer, passages: readonly Passage[]): readonly AnswerSource[] => {
  const byNumber = new Map(passages.map((passage) => [passage.number, passage]));
  const sources = new Map<number, AnswerSource>();
  for (const { number, passage } of sentences.flatMap(({ citations }) => citations)) {
    const found = byNumber.get(passage);
    if (found === undefined || sources.has(number)) continue;
    const { documentCode, documentName, page, url } = found;
    sources.set(number, { number, documentCode, documentName, page, url });
  }
  return [...sources.values()].toSorted((a, b) => a.number - b.number);
};
