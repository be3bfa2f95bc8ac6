import type { LanguageCode } from '@acervo/analysis';
import type { AnswerSentence } from '../answering/answer';
import { answerText, markedSentence, textParts } from '../answering/answer-text';
import type { LoopState } from '../loop/loop-state';
import { type AnswerPart, type BegunAnswer, NO_BASIS, type TextPart } from './answer-part';
import { basisOf, isStorable, lookedAt } from './stored-citations';

/** An answer that grows by sentences, while its sources may grow. Its parts together are its text. */
export class GrowingAnswer {
  readonly sentences: AnswerSentence[] = [];

  constructor(
    private readonly begun: BegunAnswer,
    private readonly state: Pick<LoopState, 'sources' | 'citable'>,
    private readonly language: LanguageCode,
    private readonly notices: () => readonly string[] = () => [],
  ) {}

  /**
   * The part of a further sentence; none for one with which the answer would rest on more than can be stored: the
   * visibility of each document behind an answer is checked whenever it is read.
   */
  *add(sentence: AnswerSentence): Generator<TextPart> {
    const basis = basisOf({ sentences: [...this.sentences, sentence] }, this.state.sources);
    if (!isStorable(basis)) return;
    const gap = this.sentences.length === 0 ? '' : ' ';
    this.sentences.push(sentence);
    yield { kind: 'text', text: gap + markedSentence(sentence), basis };
  }

  /** What follows the last sentence: notices and sources, or the refusal of an answer without sentences. */
  *end(): Generator<AnswerPart> {
    const { sentences } = this;
    const notices = this.notices();
    const isAnswered = sentences.length > 0;
    const isRefusal = !isAnswered && notices.length === 0;
    const sources = isAnswered ? this.state.sources : this.state.citable;
    const answer = answerText(this, sources, this.language, notices);
    const basis = isRefusal ? { ...NO_BASIS, citations: lookedAt(sources) } : basisOf(this, sources);
    for (const text of textParts(answer.slice(sentences.map(markedSentence).join(' ').length)))
      yield { kind: 'text', text, basis };
    const state = isRefusal ? 'ABSTAINED' : 'DONE';
    yield { kind: 'end', answered: { ...this.begun, answer, state, ...basis } };
  }
}
