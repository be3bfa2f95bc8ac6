import { Injectable } from '@nestjs/common';
import type { MessageCitation, MessageRole } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { CounterStore } from './counter.store';

/** How an answer ended. A question is always DONE. */
export const MESSAGE_STATES = ['DONE', 'ABSTAINED', 'STOPPED', 'ERROR', 'WITHDRAWN'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** A question and its answer, as they are stored: both or none. */
export interface StoredPair {
  readonly conversationId: number;
  readonly question: string;
  readonly answer: string;
  /** Language of the question, and of the fixed sentences of the answer. */
  readonly language: string;
  readonly state: Exclude<MessageState, 'WITHDRAWN'>;
  readonly citations: readonly MessageCitation[];
  readonly operations?: readonly string[];
  readonly statesRecords?: boolean;
}

export interface MessageRow {
  readonly messageId: number;
  readonly role: MessageRole;
  readonly state: MessageState;
  readonly language: string;
  readonly text: string;
  readonly createdAt: Date;
  readonly citations: readonly MessageCitation[];
  /** The codes of the operations that it cites. */
  readonly operations: readonly string[];
  /** Whether it states a record of a result that names no document. */
  readonly statesRecords: boolean;
}

export interface PairNumbers {
  readonly userMessageId: number;
  readonly messageId: number;
}

const CITATIONS = `coalesce((select jsonb_agg(jsonb_build_object('number', t.number, 'documentCode', t.document_code,
  'documentName', t.document_name, 'page', t.page, 'url', t.url, 'quote', t.quote) order by t.number)
  from chat.citation t where t.group_id = m.group_id and t.message_id = m.message_id), '[]') as citations`;
const COLUMNS = `m.message_id as "messageId", m.author as "role", m.state, m.language, m.text, m.created_at as "createdAt",
  m.operations, m.states_records as "statesRecords", ${CITATIONS}`;

/** The messages of conversations, with the citations of answers. */
@Injectable()
export class MessageStore {
  constructor(private readonly counter: CounterStore) {}

  async append(tx: Transaction, pair: StoredPair): Promise<PairNumbers> {
    const {
      conversationId,
      question,
      answer,
      language,
      state,
      citations,
      operations = [],
      statesRecords = false,
    } = pair;
    const userMessageId = await this.counter.take(tx, 'message', 2);
    const messageId = userMessageId + 1;
    await tx.query(
      `insert into chat.message (group_id, message_id, conversation_id, author, state, language, text, operations, states_records)
       values ($1, $2, $4, 'USER', 'DONE', $5, $6, '{}', false), ($1, $3, $4, 'ASSISTANT', $8, $5, $7, $9, $10)`,
      [
        tx.groupId,
        userMessageId,
        messageId,
        conversationId,
        language,
        question,
        answer,
        state,
        operations,
        statesRecords,
      ],
    );
    await tx.query(
      `insert into chat.citation (group_id, message_id, number, document_code, document_name, page, url, quote)
       select $1, $2, t.number, t."documentCode", t."documentName", t.page, t.url, t.quote
       from jsonb_to_recordset($3) as t(number int, "documentCode" text, "documentName" text, page int, url text, quote text)`,
      [tx.groupId, messageId, JSON.stringify(citations)],
    );
    return { userMessageId, messageId };
  }

  /** The latest messages of a conversation, the earliest first. */
  async latest(tx: Transaction, conversationId: number, limit: number): Promise<MessageRow[]> {
    const rows = await tx.query<MessageRow>(
      `select ${COLUMNS} from chat.message m where m.group_id = $1 and m.conversation_id = $2
       order by m.message_id desc limit $3`,
      [tx.groupId, conversationId, limit],
    );
    return rows.reverse();
  }

  /** One answer, with the number of its conversation. */
  async answer(
    tx: Transaction,
    messageId: number,
  ): Promise<(MessageRow & { readonly conversationId: number }) | undefined> {
    const [row] = await tx.query<MessageRow & { readonly conversationId: number }>(
      `select m.conversation_id as "conversationId", ${COLUMNS} from chat.message m
       where m.group_id = $1 and m.message_id = $2 and m.author = 'ASSISTANT'`,
      [tx.groupId, messageId],
    );
    return row;
  }

  /** Cited documents behind a code, in the order of their codes. */
  async cited(tx: Transaction, after: string, limit: number): Promise<string[]> {
    const rows = await tx.query<{ code: string }>(
      `select distinct document_code as code from chat.citation where group_id = $1 and document_code > $2
       order by 1 limit $3`,
      [tx.groupId, after, limit],
    );
    return rows.map(({ code }) => code);
  }

  /** Erases answers that cite a deleted document, and what they quote. Returns how many there were. */
  async withdraw(tx: Transaction, documentCodes: readonly string[]): Promise<number> {
    const cited = await tx.query<{ messageId: number }>(
      `select distinct message_id as "messageId" from chat.citation where group_id = $1 and document_code = any($2)`,
      [tx.groupId, documentCodes],
    );
    // Most deleted documents are cited nowhere.
    if (cited.length === 0) return 0;
    const erased = [tx.groupId, cited.map(({ messageId }) => messageId)];
    await tx.query(
      `update chat.message set state = 'WITHDRAWN', text = '' where group_id = $1 and message_id = any($2)`,
      erased,
    );
    await tx.query('delete from chat.citation where group_id = $1 and message_id = any($2)', erased);
    return cited.length;
  }
}
