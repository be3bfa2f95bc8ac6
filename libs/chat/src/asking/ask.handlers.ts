import { Injectable } from '@nestjs/common';
import {
  type Answer,
  type AnsweredQuestion,
  ask,
  type ConversationHead,
  type NewConversation,
  openConversation,
  type Question,
  repeatAnswer,
  type RepeatedQuestion,
  storeAnswer,
  type StoredAnswer,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { AskedRequestStore } from '../conversations/asked-request.store';
import { ConversationStore } from '../conversations/conversation.store';
import { MessageStore } from '../conversations/message.store';
import { PairWriter } from '../conversations/pair-writer';
import { ShownMessages } from '../conversations/shown-messages';
import { SupportRequests } from '../help/support-requests';
import { answeringFunction } from './answering-function';
import { type Answering, NO_BASIS, wholeAnswer } from './answer-part';
import { Asking } from './asking';
import { KeyOfAnotherQuestion } from './asking.errors';
import { FailedAnswers } from './failed-answers';

/** Answers questions, and stores each with its answer. */
@Injectable()
export class AskHandlers {
  constructor(
    private readonly asking: Asking,
    private readonly database: Database,
    private readonly conversations: ConversationStore,
    private readonly messages: MessageStore,
    private readonly requests: AskedRequestStore,
    private readonly pairs: PairWriter,
    private readonly shown: ShownMessages,
    private readonly support: SupportRequests,
    private readonly failed: FailedAnswers,
  ) {}

  @Handles(ask)
  async ask(scope: Scope, question: Question, context: WriteContext): Promise<Answer> {
    const answering = await this.asking.begin(scope, question);
    const answered = await this.whole(scope, answering);
    const { idempotencyKey: key } = context;
    const request = key === undefined ? undefined : { credentialId: scope.credentialId, key, question };
    try {
      return await context.write(async (tx) => {
        const answer = await this.textOf(tx, scope, answering, answered);
        return { answer, ...(await this.pairs.store(tx, scope, { ...answered, answer }, request)) };
      });
    } catch (error) {
      await this.failed.refund(scope, answering);
      throw error;
    }
  }

  /** The whole answer. One that fails is stored as such under no key: a repetition asks again. */
  private async whole(scope: Scope, answering: Answering): Promise<AnsweredQuestion> {
    try {
      return await wholeAnswer(answering);
    } catch (error) {
      const { begun } = answering;
      await this.failed.store(scope, answering, { ...begun, answer: '', state: 'ERROR', ...NO_BASIS });
      throw error;
    }
  }

  /** The text of an answer; that of an accepted support request names the request. */
  private async textOf(
    tx: Transaction,
    scope: Scope,
    { acceptance }: Answering,
    { answer }: AnsweredQuestion,
  ): Promise<string> {
    return acceptance === undefined ? answer : (await this.support.register(tx, scope, acceptance)).text;
  }

  @Handles(repeatAnswer)
  async repeat(scope: Scope, { idempotencyKey: key, ...question }: RepeatedQuestion): Promise<Answer> {
    const { credentialId } = scope;
    const row = await this.database.read(scope, async (tx) => {
      const request = await this.requests.find(tx, { credentialId, key, question });
      return request?.isSame === true ? this.messages.answer(tx, request.messageId) : undefined;
    });
    if (row === undefined) throw new KeyOfAnotherQuestion();
    const [message] = await this.shown.of(scope, [row]);
    const { conversationId, messageId } = row;
    return { answer: message?.text ?? '', conversationId, messageId, userMessageId: messageId - 1 };
  }

  @Handles(storeAnswer)
  store(scope: Scope, answered: AnsweredQuestion, context: WriteContext): Promise<StoredAnswer> {
    return context.write((tx) => this.pairs.store(tx, scope, answered, undefined));
  }

  @Handles(openConversation)
  async open(scope: Scope, named: NewConversation, context: WriteContext): Promise<ConversationHead> {
    const functionCode = answeringFunction(scope, named.functionCode);
    const { model, layers } = await this.asking.writerOf(scope, functionCode);
    const { userId } = scope;
    const opened = { userId, functionCode, mode: 'default', title: '', model, layers } as const;
    const conversationId = await context.write((tx) => this.conversations.open(tx, opened));
    return { conversationId, functionCode, title: '' };
  }
}
