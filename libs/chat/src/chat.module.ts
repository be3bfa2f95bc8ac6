import { Module } from '@nestjs/common';
import { AuthenticationModule } from '@acervo/platform-service';
import { ConversationsModule } from './conversations/conversations.module';

/** Answers questions from documents, and keeps the conversations. */
@Module({ imports: [AuthenticationModule, ConversationsModule] })
export class ChatModule {}
