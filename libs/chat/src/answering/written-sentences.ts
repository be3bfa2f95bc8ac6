import { type Range, sentences } from '@acervo/analysis';
import { MARK, safeLine } from './safe-line';

/** Characters of a model's text that are read. */
const MOST_CHARACTERS = 60_000;
/** The most numbers between the ends of `[1-3]`. */
const MOST_BETWEEN = 20;
/** A mark that is written as a link. */
const LINKED_MARK = /(\[\d{1,4}\])\([^()\s]{0,2000}\)/gu;
/** The beginning of a mark, whose end is not written yet. */
const OPEN_MARK = /[[【][^[【\]】]{0,200}$/u;
const BEFORE_SENTENCE = /^(?:[\s>#*+•·-]|\d{1,3}[.)]\s)+/u;
const HAS_WORD = /[\p{L}\p{N}]/u;
/** What may end a sentence. */
const MAY_END = /[.!?…\n]/u;

/** The numbers of a mark: `1, 3-5` is 1, 3, 4, 5. */
const numbersOf = (mark: string): number[] =>
  mark.split(/[,;]/).flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split(/[–-]/).map(Number);
    const count = Math.min(MOST_BETWEEN, Math.max(0, last - first)) + 1;
    return Array.from({ length: count }, (_, index) => first + index);
  });

/** A sentence of a model, with the numbers of the passages that it cites. */
export interface WrittenSentence {
  readonly text: string;
  readonly passages: readonly number[];
}

interface Mark {
  readonly at: number;
  readonly numbers: readonly number[];
}

interface Marked {
  readonly text: string;
  /** Marks by their place in the text without marks, in order. */
  readonly marks: readonly Mark[];
  /** Where a place of the text without marks stands in the text with them. */
  readonly placeOf: (at: number) => number;
}

/** Takes the marks out of a text. */
const withoutMarks = (written: string): Marked => {
  const marks: Mark[] = [];
  const pieces: { at: number; from: number; text: string }[] = [];
  let [length, last] = [0, 0];
  for (const { index, 0: mark, 1: numbers = '' } of written.matchAll(MARK)) {
    const before = written.slice(last, index).trimEnd();
    pieces.push({ at: length, from: last, text: before });
    length += before.length;
    marks.push({ at: length, numbers: numbersOf(numbers) });
    last = index + mark.length;
  }
  pieces.push({ at: length, from: last, text: written.slice(last) });
  const placeOf = (at: number): number => {
    const piece = pieces.findLast((each) => each.at <= at);
    return at - (piece?.at ?? 0) + (piece?.from ?? 0);
  };
  return { text: pieces.map((piece) => piece.text).join(''), marks, placeOf };
};

/** Sentences of a text and the passages that they cite. A mark belongs to the sentence that begins before it. */
const sentencesOf = ({ text, marks }: Marked, ranges: readonly Range[]): WrittenSentence[] => {
  let next = 0;
  return ranges
    .map(({ start, end }, index) => {
      const until = ranges[index + 1]?.start ?? Infinity;
      const numbers: number[] = [];
      for (let mark = marks[next]; mark !== undefined && mark.at <= until; mark = marks[next]) {
        numbers.push(...mark.numbers);
        next += 1;
      }
      const line = safeLine(text.slice(start, end)).replace(BEFORE_SENTENCE, '');
      return { text: line, passages: [...new Set(numbers)] };
    })
    .filter((sentence) => HAS_WORD.test(sentence.text));
};

/** Divides the text of a model into sentences while it is written. */
export class WrittenSentences {
  private pending = '';
  private characters = 0;
  private mayEnd = false;

  /** The sentences that are complete with a part of the text: a word of a further one follows. */
  add(part: string): WrittenSentence[] {
    const read = part.slice(0, MOST_CHARACTERS - this.characters);
    this.characters += read.length;
    this.pending += read;
    this.mayEnd ||= MAY_END.test(read);
    return this.mayEnd ? this.complete() : [];
  }

  /** The sentences that are left at the end of the text. */
  end(): WrittenSentence[] {
    const marked = withoutMarks(this.pending.replace(LINKED_MARK, '$1'));
    this.pending = '';
    return sentencesOf(marked, sentences(marked.text));
  }

  private complete(): WrittenSentence[] {
    this.pending = this.pending.replace(LINKED_MARK, '$1');
    const marked = withoutMarks(this.pending.replace(OPEN_MARK, ''));
    const ranges = sentences(marked.text);
    // The last sentence with a word may go on, as may what follows it.
    const last = ranges.findLastIndex(({ start, end }) => HAS_WORD.test(marked.text.slice(start, end)));
    const { [last]: open } = ranges;
    if (last < 1 || open === undefined) return [];
    this.pending = this.pending.slice(marked.placeOf(open.start));
    this.mayEnd = MAY_END.test(this.pending);
    return sentencesOf({ ...marked, marks: marked.marks.filter(({ at }) => at <= open.start) }, ranges.slice(0, last));
  }
}
