import { Injectable } from '@nestjs/common';
import { NotFound, processRequested } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import type { Scope } from '@acervo/rbac';
import { helpLanguageOf } from './help.service';
import { OFFER, registeredText } from './support-offer';
import { SupportRequestStore } from './support-request.store';

/** Characters of a question that its process shows. */
const MOST_DESCRIPTION = 4_000;

/** A question that accepts the offer of its conversation. */
export interface Acceptance {
  readonly conversationId: number;
  readonly question: string;
  /** Code of its language. */
  readonly language: string;
}

/** A support request, and the answer that names it. */
export interface RegisteredRequest {
  readonly code: string;
  readonly text: string;
}

/**
 * Registers support requests, each of which becomes a process of its user with the same code. The handler of a question uses it in two steps. Before its transaction it asks
 * `HelpService.accepts`. Within the transaction, before it stores the pair, it calls `register` and stores `text` as
 * the answer, with the state DONE and without citations. So request and pair are stored both or none:
 *
 *     const { text } = await supportRequests.register(tx, scope, { conversationId, question, language });
 *     await pairs.store(tx, scope, { ...begun, answer: text, state: 'DONE', citations: [] }, request);
 */
@Injectable()
export class SupportRequests {
  constructor(
    private readonly requests: SupportRequestStore,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Registers the question of the latest offer, once: a second acceptance of an offer, also a concurrent one, gets the
   * code of the first.
   * @throws NotFound where the conversation has no offer, or the user has no such conversation
   */
  async register(
    tx: Transaction,
    { userId, userCode }: Scope,
    { conversationId, question, language }: Acceptance,
  ): Promise<RegisteredRequest> {
    const offer = await this.requests.latestOffer(tx, userId, conversationId, Object.values(OFFER));
    if (offer === undefined) throw new NotFound();
    const code = await this.requests.register(tx, { userId, conversationId, ...offer });
    await this.outbox.append(tx, processRequested, {
      ...{ processType: 'SOPORTE', subject: code, code, userId, userCode, priority: 'NORMAL' },
      name: `Support request ${code}`,
      description: offer.question.slice(0, MOST_DESCRIPTION).toWellFormed(),
    });
    return { code, text: registeredText(code, helpLanguageOf(language, question)) };
  }
}
