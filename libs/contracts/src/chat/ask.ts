import { call } from '../calls';
import { Code, Int, Meaningful, Mode, Text } from '../fields';
import { type AnswerMode, answerModes, CONVERSATION_NUMBER } from './conversations';

/** A question to the documents, or about the product itself. */
export class Question {
  @Meaningful({ max: 4_000, description: 'The question, in any language' }) readonly question!: string;
  @Int({ ...CONVERSATION_NUMBER, optional: true, description: 'Number of an own conversation to continue' })
  readonly conversationId?: number;
  @Code({
    names: 'function',
    optional: true,
    description: 'Function of a new conversation, which sets its model; CHAT-USER without it',
  })
  readonly functionCode?: string;
  @Code({
    names: 'location',
    optional: true,
    description: 'Restricts this question to a visible folder and its descendants',
  })
  readonly locationCode?: string;
  @Mode(answerModes, {
    default: 'default',
    description: 'By default from the documents; help answers about the service itself and searches no documents',
  })
  readonly mode!: AnswerMode;
}

/** The whole answer. Its sentences cite documents by number, and its sources stand at its end. */
export class Answer {
  @Text({
    max: 200_000,
    description: 'The answer in the language of the question, or why the documents do not answer it',
  })
  readonly answer!: string;
  @Int({ min: 1, description: 'The conversation that it belongs to' }) readonly conversationId!: number;
  @Int({ min: 1, description: 'Number of the answer' }) readonly messageId!: number;
  @Int({ min: 1, description: 'Number of the question' }) readonly userMessageId!: number;
}

/**
 * Answers a question and stores both. Requests with the same idempotency key store one pair and answer it.
 * @throws NotFound for a conversation, folder or function that the caller does not have; Conflict for help where the
 * group does without; QuotaExceeded before anything is stored
 */
export const ask = call({
  code: 'conversations.ask',
  owner: 'chat',
  effect: 'write',
  scope: 'user',
  callers: ['gateway'],
  deadlineMs: 120_000,
  input: Question,
  output: Answer,
});

/** A question that was asked before under an idempotency key of the same credential. */
export class RepeatedQuestion extends Question {
  @Text({ min: 1, max: 128, description: 'The idempotency key' }) readonly idempotencyKey!: string;
}

/**
 * The stored answer of a repeated request, as the caller may read it now.
 * @throws Conflict where the key asked another question, or its answer is gone
 */
export const repeatAnswer = call({
  code: 'conversations.repeat',
  owner: 'chat',
  effect: 'read',
  scope: 'user',
  callers: ['gateway'],
  input: RepeatedQuestion,
  output: Answer,
});
