import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  AnswerFrame,
  deleteConversation,
  EarlierConversation,
  EarlierConversationDeleted,
  EarlierConversationDetail,
  EarlierConversationReference,
  EarlierConversations,
  EarlierNewConversation,
  EarlierQuestion,
  getConversation,
  listConversations,
  openConversation,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Answers, AnswersStream, Caller, Stream, type StreamSignals } from '@acervo/platform-http';
import { Requires, type Scope, searches } from '@acervo/rbac';
import { ChatLimits } from './chat-limits';
import { StreamAnswer } from './stream-answer';

const MOST_CONVERSATIONS = 200;
const FAILED = 'La respuesta se ha interrumpido; vuelve a preguntar.';

const failed = (): AnswerFrame => ({ error: FAILED });

/** The conversations of the web application, outside of the public contract. */
@Controller('chat/conversaciones')
@Requires(searches)
export class ChatController {
  constructor(
    private readonly calls: Calls,
    private readonly limits: ChatLimits,
    private readonly answers: StreamAnswer,
  ) {}

  @Post()
  @Answers(EarlierConversation)
  async open(@Caller() scope: Scope, @Body() conversation: EarlierNewConversation): Promise<EarlierConversation> {
    await this.limits.admit(scope, 'conversation');
    return this.calls.send(openConversation, scope, conversation);
  }

  @Get()
  @Answers(EarlierConversations)
  list(@Caller() scope: Scope): Promise<EarlierConversations> {
    return this.calls.send(listConversations, scope, { limit: MOST_CONVERSATIONS });
  }

  @Get(':id')
  @Answers(EarlierConversationDetail)
  get(@Caller() scope: Scope, @Param() reference: EarlierConversationReference): Promise<EarlierConversationDetail> {
    return this.calls.send(getConversation, scope, reference);
  }

  @Delete(':id')
  @Answers(EarlierConversationDeleted)
  delete(
    @Caller() scope: Scope,
    @Param() reference: EarlierConversationReference,
  ): Promise<EarlierConversationDeleted> {
    return this.calls.send(deleteConversation, scope, reference);
  }

  @Post(':id/mensajes/stream')
  @AnswersStream(AnswerFrame, failed)
  async *ask(
    @Caller() scope: Scope,
    @Param() { conversationId }: EarlierConversationReference,
    @Body() { question, locationCode }: EarlierQuestion,
    @Stream() signals: StreamSignals,
  ): AsyncGenerator<AnswerFrame> {
    await this.limits.admit(scope, 'question');
    const narrowed = locationCode === undefined ? {} : { locationCode };
    yield* this.answers.frames(scope, { question, conversationId, mode: 'default', ...narrowed }, signals);
  }
}
