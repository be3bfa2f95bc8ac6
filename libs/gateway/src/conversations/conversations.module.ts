import { Module } from '@nestjs/common';
import { AskController } from './ask.controller';
import { ConversationsController } from './conversations.controller';

/** Questions, their answers, and the conversations that they make up. */
@Module({ controllers: [AskController, ConversationsController] })
export class ConversationRoutesModule {}
