import type { LanguageCode } from '@acervo/analysis';
import type { AnswerSentence } from '../answering/answer';
import { answerText, markedSentence, textParts } from '../answering/answer-text';
import type { Passage } from '../answering/passages';
import type { AnswerPart, BegunAnswer, TextPart } from './answer-part';
import { citationsOf, lookedAt } from './stored-citations';

/** An answer that grows by sentences. Its parts together are its text. */
export class GrowingAnswer {
  readonly sentences: AnswerSentence[] = [];

  constructor(
    private readonly begun: BegunAnswer,
    private readonly passages: readonly Passage[],
    private readonly language: LanguageCode,
  ) {}

  /** The part of a further sentence. */
  add(sentence: AnswerSentence): TextPart {
    const gap = this.sentences.length === 0 ? '' : ' ';
    this.sentences.push(sentence);
    return { kind: 'text', text: gap + markedSentence(sentence), citations: citationsOf(this, this.passages) };
  }

  /** What follows the last sentence: the sources, or the refusal of an answer without sentences. */
  *end(): Generator<AnswerPart> {
    const { sentences, passages } = this;
    const answer = answerText(this, passages, this.language);
    const isAnswered = sentences.length > 0;
    const citations = isAnswered ? citationsOf(this, passages) : lookedAt(passages);
    for (const text of textParts(answer.slice(sentences.map(markedSentence).join(' ').length)))
      yield { kind: 'text', text, citations };
    const state = isAnswered ? 'DONE' : 'ABSTAINED';
    yield { kind: 'end', answered: { ...this.begun, answer, state, citations } };
  }
}
