import type { LanguageCode } from '@acervo/analysis';
import { type AnswerSentence, type Citation, numbered, type SentenceDraft } from './answer';
import { ResultIndex } from './result-support';
import { isResult, type OperationResult, type Source } from './sources';
import type { Passage } from './passages';
import { SupportIndex } from './support';
import { WordForms } from './support/word-forms';
import { type WrittenSentence, WrittenSentences } from './written-sentences';

const MOST_SENTENCES = 60;
/** Passages that one sentence cites. */
const MOST_CITATIONS = 4;

type Unnumbered = Omit<Citation, 'number'>;

/** Compares sentences with what they cite, each of which is analysed when it is first cited. */
class CitationCheck {
  private readonly indexes = new Map<number, SupportIndex>();
  private readonly results = new Map<number, ResultIndex>();
  private readonly forms = new WordForms();

  constructor(
    private readonly sources: readonly Source[],
    private readonly language: LanguageCode,
  ) {}

  /** What supports a sentence in the passages and results that it cites. */
  citationsOf({ text, passages }: WrittenSentence): Unnumbered[] {
    return passages.slice(0, MOST_CITATIONS).flatMap((number) => {
      const source = this.sources.find((each) => each.number === number);
      if (source === undefined) return [];
      return isResult(source) ? this.inResult(text, source) : this.inPassage(text, source);
    });
  }

  private inPassage(sentence: string, passage: Passage): Unnumbered[] {
    const support = this.indexOf(passage).supportOf(sentence);
    if (!support.isSupported) return [];
    const { start, end } = support;
    return [{ passage: passage.number, quote: passage.text.slice(start, end), start, end }];
  }

  private inResult(sentence: string, result: OperationResult): Unnumbered[] {
    const index = this.results.get(result.number) ?? new ResultIndex(result, this.language, this.forms);
    this.results.set(result.number, index);
    const support = index.supportOf(sentence);
    return support === undefined ? [] : [{ passage: result.number, start: 0, end: support.quote.length, ...support }];
  }

  private indexOf(passage: Passage): SupportIndex {
    const index = this.indexes.get(passage.number) ?? new SupportIndex(passage, this.language, this.forms);
    this.indexes.set(passage.number, index);
    return index;
  }
}

/**
 * Reads the text of a model as it is written: keeps the sentences that cite passages or results which support them, without links,
 * images and HTML, and drops the others. A citation of a passage that does not support its sentence is dropped too.
 */
export class CitedSentences {
  private readonly written = new WrittenSentences();
  private readonly check: CitationCheck;
  private readonly drafts = new Map<string, SentenceDraft>();
  private read = 0;

  /**
   * @param sources may grow while the text is written
   * @param language that of the answer
   * @param citable those of the sources that a further sentence may cite
   */
  constructor(
    private readonly sources: readonly Source[],
    language: LanguageCode,
    citable: readonly Source[] = sources,
  ) {
    this.check = new CitationCheck(citable, language);
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
    return numbered([...this.drafts.values()], this.sources).slice(before);
  }
}
