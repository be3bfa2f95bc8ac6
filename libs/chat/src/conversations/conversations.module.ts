import { Module } from '@nestjs/common';
import { AgentModule } from '../agent/agent.module';
import { AskedRequestStore } from './asked-request.store';
import { ConversationStore } from './conversation.store';
import { ConversationsHandlers } from './conversations.handlers';
import { CounterStore } from './counter.store';
import { DeletedDocumentsConsumer } from './deleted-documents.consumer';
import { DeletedUserStore } from './deleted-user.store';
import { MessageStore } from './message.store';
import { OtherGroups } from './other-groups';
import { PairWriter } from './pair-writer';
import { ShownMessages } from './shown-messages';
import { UserConversationsConsumer } from './user-conversations.consumer';
import { UserConversationsHandlers } from './user-conversations.handlers';
import { DocumentVisibility } from './document-visibility';

/** Questions of users and their answers, as they are kept. */
@Module({
  imports: [AgentModule],
  providers: [
    AskedRequestStore,
    ConversationStore,
    ConversationsHandlers,
    CounterStore,
    DeletedDocumentsConsumer,
    DeletedUserStore,
    MessageStore,
    OtherGroups,
    PairWriter,
    ShownMessages,
    UserConversationsConsumer,
    UserConversationsHandlers,
    DocumentVisibility,
  ],
  exports: [
    AskedRequestStore,
    ConversationStore,
    CounterStore,
    DeletedUserStore,
    MessageStore,
    OtherGroups,
    PairWriter,
    ShownMessages,
    DocumentVisibility,
  ],
})
export class ConversationsModule {}
