import { Injectable } from '@nestjs/common';
import type { AnswerMode, Conversation } from '@acervo/contracts';
import type { LayerRecord } from '@acervo/models/chat';
import type { SelectedRows, Selection, Transaction } from '@acervo/platform-database';
import { CounterStore } from './counter.store';

/** What a conversation is opened with. Model and layers are those that its function had then. */
export interface OpenedConversation {
  readonly userId: string;
  readonly functionCode: string;
  readonly mode: AnswerMode;
  /** Empty until the first question. */
  readonly title: string;
  /** Null where it is answered without a model. */
  readonly model: string | null;
  readonly layers: readonly LayerRecord[];
}

/** A conversation with what it was opened with. */
export interface ConversationRow extends Omit<OpenedConversation, 'userId'> {
  readonly conversationId: number;
}

const OF_USER = 'c.group_id = $1 and c.user_id = $2';
const SHOWN = `c.conversation_id as "conversationId", c.function_code as "functionCode", c.mode, c.title,
  c.message_count as "messageCount", c.created_at as "createdAt", c.updated_at as "updatedAt"`;
const OF_FUNCTION = '($3::text is null or c.function_code = $3)';

const inText = (row: Readonly<Record<'createdAt' | 'updatedAt', Date>>): Record<'createdAt' | 'updatedAt', string> => ({
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** The deletion of a user deletes these rows, with their messages; its preview counts them. */
export const conversationsOf = ({ groupId }: Transaction, userId: string): Selection<'conversaciones'> => ({
  rows: { conversaciones: { from: 'chat.conversation c', where: OF_USER } satisfies SelectedRows },
  params: [groupId, userId],
});

/** Conversations of users. Methods that take a user reach the conversations of that user alone. */
@Injectable()
export class ConversationStore {
  constructor(private readonly counter: CounterStore) {}

  /** Opens a conversation; answers its number. */
  async open(tx: Transaction, conversation: OpenedConversation): Promise<number> {
    const { userId, functionCode, mode, title, model, layers } = conversation;
    const id = await this.counter.take(tx, 'conversation');
    await tx.query(
      `insert into chat.conversation (group_id, conversation_id, user_id, function_code, mode, title, model, layers)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [tx.groupId, id, userId, functionCode, mode, title, model, JSON.stringify(layers)],
    );
    return id;
  }

  /** A conversation of the user; undefined for another user's, as for one that does not exist. */
  async find(tx: Transaction, userId: string, conversationId: number): Promise<ConversationRow | undefined> {
    const [row] = await tx.query<ConversationRow>(
      `select c.conversation_id as "conversationId", c.function_code as "functionCode", c.mode, c.title, c.model, c.layers
       from chat.conversation c where ${OF_USER} and c.conversation_id = $3`,
      [tx.groupId, userId, conversationId],
    );
    return row;
  }

  /** Conversations of the user, the latest answer first. */
  async list(
    tx: Transaction,
    userId: string,
    functionCode: string | undefined,
    limit: number,
  ): Promise<Conversation[]> {
    const rows = await tx.query<Conversation & Readonly<Record<'createdAt' | 'updatedAt', Date>>>(
      `select ${SHOWN} from chat.conversation c where ${OF_USER} and ${OF_FUNCTION}
       order by c.updated_at desc, c.conversation_id desc limit $4`,
      [tx.groupId, userId, functionCode ?? null, limit],
    );
    return rows.map((row) => ({ ...row, ...inText(row) }));
  }

  async count(tx: Transaction, userId: string, functionCode: string | undefined): Promise<number> {
    const [row] = await tx.query<{ total: number }>(
      `select count(*)::int as total from chat.conversation c where ${OF_USER} and ${OF_FUNCTION}`,
      [tx.groupId, userId, functionCode ?? null],
    );
    return row?.total ?? 0;
  }

  /** Deletes a conversation with its messages; false where the user has no such one. */
  async delete(tx: Transaction, userId: string, conversationId: number): Promise<boolean> {
    const gone = await tx.query(
      `delete from chat.conversation c where ${OF_USER} and c.conversation_id = $3 returning conversation_id`,
      [tx.groupId, userId, conversationId],
    );
    return gone.length > 0;
  }

  /** Deletes all conversations of a user. */
  async deleteAll(tx: Transaction, userId: string): Promise<void> {
    const { rows, params } = conversationsOf(tx, userId);
    await tx.query(`delete from ${rows.conversaciones.from} where ${rows.conversaciones.where}`, params);
  }

  /**
   * Counts a stored pair; false where the user has no such conversation. The first question becomes the title of a
   * conversation without one.
   */
  async extend(tx: Transaction, userId: string, conversationId: number, title: string): Promise<boolean> {
    const extended = await tx.query(
      `update chat.conversation c set message_count = c.message_count + 2, updated_at = now(),
       title = case when c.title = '' then $4 else c.title end
       where ${OF_USER} and c.conversation_id = $3 returning c.conversation_id`,
      [tx.groupId, userId, conversationId, title],
    );
    return extended.length > 0;
  }

  /** Whether the group has any conversation. */
  async isAny(tx: Transaction): Promise<boolean> {
    const rows = await tx.query('select from chat.conversation where group_id = $1 limit 1', [tx.groupId]);
    return rows.length > 0;
  }

  /** Deletes conversations of all users whose last answer is older; at most `limit`. Returns how many. */
  async deleteOlder(tx: Transaction, days: number, limit: number): Promise<number> {
    const gone = await tx.query(
      `delete from chat.conversation where group_id = $1 and conversation_id = any(array(
         select conversation_id from chat.conversation
         where group_id = $1 and updated_at < now() - make_interval(days => $2) order by updated_at limit $3
         for update skip locked)) returning conversation_id`,
      [tx.groupId, days, limit],
    );
    return gone.length;
  }
}
