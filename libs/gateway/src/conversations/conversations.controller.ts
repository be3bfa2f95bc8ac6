import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import {
  ConversationDeleted,
  ConversationList,
  ConversationListRequest,
  ConversationReference,
  deleteConversation,
  listConversations,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, Caller, Describes } from '@acervo/platform-http';
import { Requires, type Scope, searches } from '@acervo/rbac';
import * as descriptions from './conversations.descriptions';

@ApiTags('conversations')
@ApiBearerAuth('credential')
@Controller('v1/conversations')
@Requires(searches)
export class ConversationsController {
  constructor(private readonly calls: Calls) {}

  @Get()
  @Answers(ConversationList)
  @Describes(descriptions.listsConversations)
  listConversations(@Caller() scope: Scope, @Query() request: ConversationListRequest): Promise<ConversationList> {
    return this.calls.send(listConversations, scope, request);
  }

  @Delete(':conversation_id')
  @Answers(ConversationDeleted)
  @Describes(descriptions.deletesConversation)
  deleteConversation(@Caller() scope: Scope, @Param() reference: ConversationReference): Promise<ConversationDeleted> {
    return this.calls.send(deleteConversation, scope, reference);
  }
}
