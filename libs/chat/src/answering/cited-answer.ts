import { type LanguageCode, sentences } from '@acervo/analysis';
import { type Citation, type CitedAnswer, numbered, type SentenceDraft } from './answer';
import type { Passage } from './passages';
import { MARK, safeLine } from './safe-line';
import { SupportIndex } from './support';
import { WordForms } from './support/word-forms';

/** Characters of a model's text that are read. */
const MOST_CHARACTERS = 60_000;
const MOST_SENTENCES = 60;
/** Passages that one sentence cites. */
const MOST_CITATIONS = 4;
/** The most numbers between the ends of `[1-3]`. */
const MOST_BETWEEN = 20;
/** A mark that is written as a link. */
const LINKED_MARK = /(\[\d{1,4}\])\([^()\s]{0,2000}\)/gu;
const BEFORE_SENTENCE = /^(?:[\s>#*+•·-]|\d{1,3}[.)]\s)+/u;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** The numbers of a mark: `1, 3-5` is 1, 3, 4, 5. */
const numbersOf = (mark: string): number[] =>
  mark.split(/[,;]/).flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split(/[–-]/).map(Number);
    const count = Math.min(MOST_BETWEEN, Math.max(0, last - first)) + 1;
    return Array.from({ length: count }, (_, index) => first + index);
  });

interface Marked {
  readonly text: string;
  /** Marks by their place in the text without marks, in order. */
  readonly marks: readonly { readonly at: number; readonly numbers: readonly number[] }[];
}

/** Takes the marks out of a text. */
const withoutMarks = (written: string): Marked => {
  const marks: { at: number; numbers: number[] }[] = [];
  const pieces: string[] = [];
  let [length, last] = [0, 0];
  for (const { index, 0: mark, 1: numbers = '' } of written.matchAll(MARK)) {
    const before = written.slice(last, index).trimEnd();
    pieces.push(before);
    length += before.length;
    marks.push({ at: length, numbers: numbersOf(numbers) });
    last = index + mark.length;
  }
  pieces.push(written.slice(last));
  return { text: pieces.join(''), marks };
};

/** A sentence of a model, with the numbers of the passages that it cites. */
interface WrittenSentence {
  readonly text: string;
  readonly passages: readonly number[];
}

/** The sentences of a model's text. A mark belongs to the sentence that begins before it. */
const writtenSentences = (written: string): WrittenSentence[] => {
  const { text, marks } = withoutMarks(written.slice(0, MOST_CHARACTERS).toWellFormed().replace(LINKED_MARK, '$1'));
  const ranges = sentences(text);
  let next = 0;
  return ranges.map(({ start, end }, index) => {
    const until = ranges[index + 1]?.start ?? Infinity;
    const numbers: number[] = [];
    for (let mark = marks[next]; mark !== undefined && mark.at <= until; mark = marks[next]) {
      numbers.push(...mark.numbers);
      next += 1;
    }
    const line = safeLine(text.slice(start, end)).replace(BEFORE_SENTENCE, '');
    return { text: line, passages: [...new Set(numbers)] };
  });
};

/** Compares sentences with passages, each of which is analysed when it is first cited. */
class CitationCheck {
  private readonly indexes = new Map<number, SupportIndex>();
  private readonly forms = new WordForms();

  constructor(
    private readonly passages: ReadonlyMap<number, Passage>,
    private readonly language: LanguageCode,
  ) {}

  /** What supports a sentence in the passages that it cites. */
  citationsOf({ text, passages }: WrittenSentence): Omit<Citation, 'number'>[] {
    return passages.slice(0, MOST_CITATIONS).flatMap((number) => {
      const passage = this.passages.get(number);
      if (passage === undefined) return [];
      const support = this.indexOf(passage).supportOf(text);
      if (!support.isSupported) return [];
      const { start, end } = support;
      return [{ passage: number, quote: passage.text.slice(start, end), start, end }];
    });
  }

  private indexOf(passage: Passage): SupportIndex {
    const index = this.indexes.get(passage.number) ?? new SupportIndex(passage, this.language, this.forms);
    this.indexes.set(passage.number, index);
    return index;
  }
}

/**
 * Reads a model's text: keeps the sentences that cite passages which support them, without links, images and HTML, and
 * drops the others. A citation of a passage that does not support its sentence is dropped too.
 * @param language that of the answer
 */
export const citedAnswer = (written: string, passages: readonly Passage[], language: LanguageCode): CitedAnswer => {
  const check = new CitationCheck(new Map(passages.map((passage) => [passage.number, passage])), language);
  const all = writtenSentences(written).filter(({ text }) => HAS_WORD.test(text));
  const drafts = new Map<string, SentenceDraft>();
  for (const sentence of all.slice(0, MOST_SENTENCES)) {
    const citations = check.citationsOf(sentence);
    if (citations.length > 0) drafts.set(sentence.text, { text: sentence.text, citations });
  }
  return { sentences: numbered([...drafts.values()], passages), dropped: all.length - drafts.size };
};
