import { Injectable } from '@nestjs/common';
import {
  type AnsweredQuestion,
  type AnswerFrame,
  type AnswerState,
  type MessageCitation,
  type Question,
  storeAnswer,
  type StoredAnswer,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { StreamSignals } from '@acervo/platform-http';
import type { Scope } from '@acervo/rbac';
import type { Answering, TextPart } from '../asking/answer-part';
import { Asking } from '../asking/asking';

/** Streams answers and stores each as one pair, whatever ends it: its last part, its reader, or a failure. */
@Injectable()
export class StreamAnswer {
  constructor(
    private readonly asking: Asking,
    private readonly calls: Calls,
  ) {}

  /**
   * The frames of an answer: parts of its text, then its end. An answer whose reader leaves is stored as far as it was
   * sent, as one that the process cuts when it stops.
   */
  async *frames(scope: Scope, question: Question, { gone, ending }: StreamSignals): AsyncGenerator<AnswerFrame> {
    const answering = await this.asking.begin(scope, question, AbortSignal.any([gone, ending]));
    const sent = new SentText(answering);
    try {
      for await (const part of answering.parts) {
        if (part.kind === 'end') return yield this.last(await sent.keep(() => this.store(scope, part.answered)));
        sent.add(part);
        yield { text: part.text };
      }
      if (ending.aborted) yield this.last(await sent.keep(() => this.store(scope, sent.cut('STOPPED'))));
    } catch (error) {
      if (!gone.aborted && !ending.aborted) await sent.keep(() => this.store(scope, sent.cut('ERROR')));
      throw error;
    } finally {
      if (!sent.isKept) await sent.keep(() => this.store(scope, sent.cut('STOPPED')));
    }
  }

  private store(scope: Scope, answered: AnsweredQuestion): Promise<StoredAnswer> {
    return this.calls.send(storeAnswer, scope, answered);
  }

  private last({ userMessageId, messageId }: StoredAnswer): AnswerFrame {
    return { done: true, userMessageId, messageId };
  }
}

/** What was sent of an answer, with what it cites, and whether it is stored. */
class SentText {
  isKept = false;
  private text = '';
  private readonly citations: MessageCitation[] = [];

  constructor(private readonly answering: Answering) {}

  add({ text, citations }: TextPart): void {
    this.text += text;
    this.citations.push(...citations);
  }

  /** The pair of an answer that ends early: as far as it was sent. */
  cut(state: Exclude<AnswerState, 'DONE' | 'ABSTAINED'>): AnsweredQuestion {
    return { ...this.answering.begun, answer: this.text, state, citations: this.citations };
  }

  /** Stores the pair once. */
  keep(store: () => Promise<StoredAnswer>): Promise<StoredAnswer> {
    this.isKept = true;
    return store();
  }
}
