import type { LanguageCode } from '@acervo/analysis';
import { type AnswerSentence, type Citation, numbered, type SentenceDraft } from './answer';
import type { Passage } from './passages';
import { SupportIndex } from './support';
import { WordForms } from './support/word-forms';
import { type WrittenSentence, WrittenSentences } from './written-sentences';

const MOST_SENTENCES = 60;
/** Passages that one sentence cites. */
const MOST_CITATIONS = 4;

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
 * Reads the text of a model as it is written: keeps the sentences that cite passages which support them, without links,
 * images and HTML, and drops the others. A citation of a passage that does not support its sentence is dropped too.
 */
export class CitedSentences {
  private readonly written = new WrittenSentences();
  private readonly check: CitationCheck;
  private readonly drafts = new Map<string, SentenceDraft>();
  private read = 0;

  /** @param language that of the answer */
  constructor(
    private readonly passages: readonly Passage[],
    language: LanguageCode,
  ) {
    this.check = new CitationCheck(new Map(passages.map((passage) => [passage.number, passage])), language);
  }

  /** The sentences that a part of the text completes. */
  add(part: string): readonly AnswerSentence[] {
    return this.supported(this.written.add(part));
  }

  /** The sentences that the end of the text completes. */
  end(): readonly AnswerSentence[] {
    return this.supported(this.written.end());
  }

  private supported(sentences: readonly WrittenSentence[]): readonly AnswerSentence[] {
    const before = this.drafts.size;
    for (const sentence of sentences) {
      this.read += 1;
      if (this.read > MOST_SENTENCES || this.drafts.has(sentence.text)) continue;
      const citations = this.check.citationsOf(sentence);
      if (citations.length > 0) this.drafts.set(sentence.text, { text: sentence.text, citations });
    }
    return numbered([...this.drafts.values()], this.passages).slice(before);
  }
}
