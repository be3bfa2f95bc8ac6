import { Module } from '@nestjs/common';
import { ChatModelModule } from '@acervo/models/chat/nest';
import { AgentModule } from '../agent/agent.module';
import { ConversationsModule } from '../conversations/conversations.module';
import { ToolAnswers } from './tool-answers';
import { ToolLoop } from './tool-loop';

/** The built-in loop: a model that calls tools while it answers. */
@Module({
  imports: [AgentModule, ChatModelModule, ConversationsModule],
  providers: [ToolAnswers, ToolLoop],
  exports: [ToolLoop],
})
export class LoopModule {}
