import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { CounterStore } from '../conversations/counter.store';

/** An answer that offers a support request, with its question. */
export interface OfferRow {
  readonly messageId: number;
  readonly question: string;
}

/** The support request of an offer. */
export interface SupportRequest extends OfferRow {
  readonly userId: string;
  readonly conversationId: number;
}

/** Questions that help did not settle and that their users registered. An offer has one at most. */
@Injectable()
export class SupportRequestStore {
  constructor(private readonly counter: CounterStore) {}

  /**
   * The latest answer with one of these texts in a conversation of the user; undefined without one, as for a
   * conversation of another user.
   */
  async latestOffer(
    tx: Transaction,
    userId: string,
    conversationId: number,
    offers: readonly string[],
  ): Promise<OfferRow | undefined> {
    const [row] = await tx.query<OfferRow>(
      `select m.message_id as "messageId", q.text as question
       from chat.conversation c
       join chat.message m on m.group_id = c.group_id and m.conversation_id = c.conversation_id
       join chat.message q on q.group_id = c.group_id and q.message_id = m.message_id - 1
       where c.group_id = $1 and c.user_id = $2 and c.conversation_id = $3 and m.author = 'ASSISTANT' and m.text = any($4)
       order by m.message_id desc limit 1`,
      [tx.groupId, userId, conversationId, offers],
    );
    return row;
  }

  /** Stores the request of an offer, and answers its code: that of the earlier one where the offer has one already. */
  async register(tx: Transaction, request: SupportRequest): Promise<string> {
    const { userId, conversationId, messageId, question } = request;
    const earlier = await this.codeOf(tx, messageId);
    if (earlier !== undefined) return earlier;
    const code = `S${await this.counter.take(tx, 'support_request')}`;
    const [stored] = await tx.query<{ code: string }>(
      `insert into chat.support_request (group_id, code, user_id, conversation_id, message_id, question)
       values ($1, $2, $3, $4, $5, $6) on conflict (group_id, message_id) do nothing returning code`,
      [tx.groupId, code, userId, conversationId, messageId, question],
    );
    const concurrent = stored === undefined ? await this.codeOf(tx, messageId) : undefined;
    return concurrent ?? code;
  }

  private async codeOf(tx: Transaction, messageId: number): Promise<string | undefined> {
    const [row] = await tx.query<{ code: string }>(
      'select code from chat.support_request where group_id = $1 and message_id = $2',
      [tx.groupId, messageId],
    );
    return row?.code;
  }
}
