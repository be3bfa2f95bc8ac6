import { Injectable } from '@nestjs/common';
import {
  type Answer,
  type AnsweredQuestion,
  ask,
  Conflict,
  type ConversationHead,
  CrossesCalls,
  type NewConversation,
  openConversation,
  type Question,
  repeatAnswer,
  type RepeatedQuestion,
  storeAnswer,
  type StoredAnswer,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { AskedRequestStore } from '../conversations/asked-request.store';
import { ConversationStore } from '../conversations/conversation.store';
import { MessageStore } from '../conversations/message.store';
import { PairWriter } from '../conversations/pair-writer';
import { ShownMessages } from '../conversations/shown-messages';
import { answeringFunction } from './answering-function';
import { wholeAnswer } from './answer-part';
import { Asking } from './asking';

/** The key of a repeated request asked another question, or its conversation was deleted. */
@CrossesCalls
export class KeyOfAnotherQuestion extends Conflict {
  constructor() {
    super('The idempotency key asked another question, or its answer is gone; use another key.');
  }
}

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
  ) {}

  @Handles(ask)
  async ask(scope: Scope, question: Question, context: WriteContext): Promise<Answer> {
    const answered = await wholeAnswer(await this.asking.begin(scope, question));
    const { idempotencyKey: key } = context;
    const request = key === undefined ? undefined : { credentialId: scope.credentialId, key, question };
    const stored = await context.write((tx) => this.pairs.store(tx, scope, answered, request));
    return { answer: answered.answer, ...stored };
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
