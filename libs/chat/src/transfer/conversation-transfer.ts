import { Injectable } from '@nestjs/common';
import { Transfer } from '@acervo/platform-database';
import { conversationTables } from './tables';

/** Conversations of a group, to and from another installation. */
@Injectable()
export class ConversationTransfer extends Transfer {
  constructor() {
    super('chat', conversationTables);
  }
}
