import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type AnsweredQuestion,
  type AnswerFrame,
  type AnswerState,
  type Question,
  storeAnswer,
  type StoredAnswer,
  Unavailable,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { StreamSignals } from '@acervo/platform-http';
import type { Scope } from '@acervo/rbac';
import { type Answering, type AnswerBasis, NO_BASIS, type TextPart } from '../asking/answer-part';
import { Asking } from '../asking/asking';
import { FailedAnswers } from '../asking/failed-answers';

/** Streams answers and stores each as one pair, whatever ends it: its last part, its reader, or a failure. */
@Injectable()
export class StreamAnswer {
  constructor(
    private readonly asking: Asking,
    private readonly calls: Calls,
    private readonly failed: FailedAnswers,
  ) {}

  /**
   * The frames of an answer: parts of its text, then its end. An answer whose reader leaves is stored as far as it was
   * sent. One that fails is stored in the same way, and its retrieval is refunded; the stop of the process is a failure.
   */
  async *frames(scope: Scope, question: Question, { gone, ending }: StreamSignals): AsyncGenerator<AnswerFrame> {
    const answering = await this.begun(scope, question, gone, ending);
    if (answering === undefined) return;
    const sent = new SentText(answering);
    try {
      for await (const part of answering.parts) {
        if (part.kind === 'end') return yield this.last(await this.keep(scope, sent, part.answered));
        sent.add(part);
        yield { text: part.text };
      }
      throw new AnswerCut();
    } catch (error) {
      if (gone.aborted) return;
      sent.isKept = true;
      await this.failed.store(scope, answering, sent.cut('ERROR'), { idempotencyKey: sent.key });
      throw ending.aborted ? new AnswerCut() : error;
    } finally {
      if (!sent.isKept) await this.keep(scope, sent, sent.cut('STOPPED'));
    }
  }

  /** An answer that was begun; undefined where its reader left before. */
  private async begun(
    scope: Scope,
    question: Question,
    gone: AbortSignal,
    ending: AbortSignal,
  ): Promise<Answering | undefined> {
    try {
      return await this.asking.begin(scope, question, AbortSignal.any([gone, ending]));
    } catch (error) {
      if (gone.aborted) return undefined;
      throw ending.aborted ? new AnswerCut() : error;
    }
  }

  /** Stores the pair. A second try of the same stream has no second effect. */
  private async keep(scope: Scope, sent: SentText, answered: AnsweredQuestion): Promise<StoredAnswer> {
    const stored = await this.calls.send(storeAnswer, scope, answered, { idempotencyKey: sent.key });
    sent.isKept = true;
    return stored;
  }

  private last({ userMessageId, messageId }: StoredAnswer): AnswerFrame {
    return { done: true, userMessageId, messageId };
  }
}

/** The process stopped before an answer had its last part. */
class AnswerCut extends Unavailable {
  constructor() {
    super('The service stops; ask again.');
  }
}

/** What was sent of an answer, with what it rests on, and whether it is stored. */
class SentText {
  readonly key = randomUUID();
  isKept = false;
  private text = '';
  private basis: AnswerBasis = NO_BASIS;

  constructor(private readonly answering: Answering) {}

  add({ text, basis }: TextPart): void {
    this.text += text;
    this.basis = basis;
  }

  /** The pair of an answer that ends early: as far as it was sent. */
  cut(state: Extract<AnswerState, 'STOPPED' | 'ERROR'>): AnsweredQuestion {
    return { ...this.answering.begun, answer: this.text, state, ...this.basis };
  }
}
