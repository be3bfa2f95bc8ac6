import { Module } from '@nestjs/common';
import { ChatModelModule } from '@acervo/models/chat/nest';
import { ConversationsModule } from '../conversations/conversations.module';
import { HelpModule } from '../help/help.module';
import { LoopModule } from '../loop/loop.module';
import { AnsweringModel } from './answering-model';
import { AskHandlers } from './ask.handlers';
import { Asking } from './asking';
import { ChatParameters } from './chat-parameters';
import { ConversationHistory } from './conversation-history';
import { FailedAnswers } from './failed-answers';
import { ModelWriter } from './model-writer';
import { OrganizationLayers } from './organization-layers';

/** Questions and their answers. */
@Module({
  imports: [ChatModelModule, ConversationsModule, HelpModule, LoopModule],
  providers: [
    AnsweringModel,
    AskHandlers,
    Asking,
    ChatParameters,
    ConversationHistory,
    FailedAnswers,
    ModelWriter,
    OrganizationLayers,
  ],
  exports: [Asking, FailedAnswers],
})
export class AskingModule {}
