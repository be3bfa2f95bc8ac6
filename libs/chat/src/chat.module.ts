import { Module } from '@nestjs/common';
import { AuthenticationModule } from '@acervo/platform-service';
import { AgentModule } from './agent/agent.module';
import { AskingModule } from './asking/asking.module';
import { ConversationsModule } from './conversations/conversations.module';
import { RoutesModule } from './routes/routes.module';
import { UpkeepModule } from './upkeep/upkeep.module';

/** Answers questions from documents, and keeps the conversations. */
@Module({ imports: [AuthenticationModule, AgentModule, AskingModule, ConversationsModule, RoutesModule, UpkeepModule] })
export class ChatModule {}
