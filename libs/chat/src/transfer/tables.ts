import type { transferredConversations } from '@acervo/contracts';
import type { TransferTable } from '@acervo/platform-database';

/** A page of the longest answers has to fit into one call. */
const MESSAGES_OF_A_PAGE = 50;

/** The tables of a group's conversations that are transferred. Conversations and messages keep their numbers. */
export const conversationTables: readonly (TransferTable & {
  readonly name: (typeof transferredConversations)[number];
})[] = [
  { name: 'counter', key: ['name'] },
  { name: 'conversation', key: ['conversation_id'] },
  { name: 'message', key: ['message_id'], pageRows: MESSAGES_OF_A_PAGE },
  { name: 'citation', key: ['message_id', 'number'] },
  { name: 'support_request', key: ['code'] },
];

/** Tables that are not transferred: rows that live for a day, tasks, and the pages of an export itself. */
export const leftBehind = ['asked_request', 'deleted_user', 'export_page', 'task'] as const;
