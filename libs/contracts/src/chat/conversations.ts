import { call } from '../calls';
import { Choice, Code, Flag, Int, ListOf, Moment, Text, TextList } from '../fields';

/** How a question is answered: from documents, or from what the product says about itself. */
export const answerModes = ['default', 'help'] as const;
export type AnswerMode = (typeof answerModes)[number];

/** The number of a conversation, as an input names it. */
export const CONVERSATION_NUMBER = { min: 1, max: 2_147_483_647, names: 'conversation' } as const;

/** Questions of one user and their answers. Only that user sees it. */
export class Conversation {
  @Int({ min: 1, description: 'Number of the conversation, unique in the group' }) readonly conversationId!: number;
  @Code({ description: 'Function that it was opened for' }) readonly functionCode!: string;
  @Choice(answerModes, { publicly: 'same', description: 'How its first question was answered' })
  readonly mode!: AnswerMode;
  @Text({ max: 200, description: 'Its first question, cut' }) readonly title!: string;
  @Int({ description: 'Questions and answers' }) readonly messageCount!: number;
  @Moment({ description: 'When it was opened' }) readonly createdAt!: string;
  @Moment({ description: 'When its last answer was stored' }) readonly updatedAt!: string;
}

export class ConversationListRequest {
  @Code({ names: 'function', optional: true, description: 'Only conversations of this function' })
  readonly functionCode?: string;
  @Int({ min: 1, max: 200, default: 50, description: 'Most conversations to return' }) readonly limit!: number;
}

export class ConversationList {
  @ListOf(() => Conversation, { max: 200, description: 'Own conversations, the latest answer first' })
  readonly conversations!: readonly Conversation[];
  @Int({ description: 'Own conversations, of that function where one is named' }) readonly total!: number;
}

export class ConversationReference {
  @Int({ ...CONVERSATION_NUMBER, description: 'Number of an own conversation' }) readonly conversationId!: number;
}

export class ConversationDeleted extends ConversationReference {
  @Flag({ description: 'Always true' }) readonly deleted!: boolean;
}

export class NewConversation {
  @Code({ names: 'function', description: 'A function of the caller that answers questions' })
  readonly functionCode!: string;
}

export const messageRoles = ['USER', 'ASSISTANT'] as const;
export type MessageRole = (typeof messageRoles)[number];

/** Where a sentence of an answer stands. */
export class MessageCitation {
  @Int({ min: 1, max: 99, description: 'Its number in the answer' }) readonly number!: number;
  @Code({ names: 'document', description: 'Document' }) readonly documentCode!: string;
  @Text({ max: 1024, description: 'Name of the document' }) readonly documentName!: string;
  @Int({ min: 1, nullable: true, description: 'Page; null when the document has none' }) readonly page!: number | null;
  @Text({ max: 4096, description: 'Opens the document' }) readonly url!: string;
  @Text({ max: 8_000, description: 'The passage, to the letter' }) readonly quote!: string;
}

/** A question or an answer. An answer from a document that its user sees no longer reads as a fixed sentence. */
export class Message {
  @Int({ min: 1, description: 'Number of the message, unique in the group' }) readonly messageId!: number;
  @Choice(messageRoles, { publicly: 'same', description: 'Who wrote it' }) readonly role!: MessageRole;
  @Text({ max: 200_000, description: 'Its text' }) readonly text!: string;
  @Moment({ description: 'When it was stored' }) readonly createdAt!: string;
  @ListOf(() => MessageCitation, { max: 99, description: 'What it cites, by number; empty for a question' })
  readonly citations!: readonly MessageCitation[];
}

export class ConversationHead {
  @Int({ min: 1, description: 'Number of the conversation' }) readonly conversationId!: number;
  @Code({ description: 'Function that it was opened for' }) readonly functionCode!: string;
  @Text({ max: 200, description: 'Its first question, cut; empty before' }) readonly title!: string;
}

/** Most messages of a conversation that are shown. */
export const MOST_MESSAGES = 1_000;

export class ConversationDetail extends ConversationHead {
  @ListOf(() => Message, { max: MOST_MESSAGES, description: 'Its latest messages, the earliest first' })
  readonly messages!: readonly Message[];
}

const ofCaller = { owner: 'chat', scope: 'user' } as const;

export const listConversations = call({
  ...ofCaller,
  code: 'conversations.list',
  effect: 'read',
  callers: ['gateway', 'chat'],
  input: ConversationListRequest,
  output: ConversationList,
});

/** @throws NotFound for a conversation of another user, as for one that does not exist */
export const deleteConversation = call({
  ...ofCaller,
  code: 'conversations.delete',
  effect: 'write',
  callers: ['gateway', 'chat'],
  input: ConversationReference,
  output: ConversationDeleted,
});

/** @throws NotFound for a function that the caller does not have, or that answers no questions */
export const openConversation = call({
  ...ofCaller,
  code: 'conversations.open',
  effect: 'write',
  callers: ['chat'],
  input: NewConversation,
  output: ConversationHead,
});

/** @throws NotFound for a conversation of another user, as for one that does not exist */
export const getConversation = call({
  ...ofCaller,
  code: 'conversations.get',
  effect: 'read',
  callers: ['chat'],
  input: ConversationReference,
  output: ConversationDetail,
});

export const answerStates = ['DONE', 'ABSTAINED', 'STOPPED', 'ERROR'] as const;
export type AnswerState = (typeof answerStates)[number];

/** A part of the prompt that answers of a conversation are written with: everything but its text. */
export class ConversationLayer {
  @Choice(['PRODUCT', 'GROUP', 'ENTITY', 'FUNCTION', 'SKILL'], { description: 'Who wrote it' })
  readonly kind!: 'PRODUCT' | 'GROUP' | 'ENTITY' | 'FUNCTION' | 'SKILL';
  @Code({ description: 'Code of the part' }) readonly code!: string;
  @Text({ min: 1, max: 40, description: 'Version of the part' }) readonly version!: string;
  @Text({ min: 64, max: 64, description: 'SHA-256 of its text in UTF-8, as hexadecimal digits' })
  readonly sha256!: string;
}

/** A question and its answer, ready to be stored: both or none. */
export class AnsweredQuestion {
  @Int({ ...CONVERSATION_NUMBER, optional: true, description: 'The conversation; a new one without it' })
  readonly conversationId?: number;
  @Code({ names: 'function', description: 'Function of a new conversation' }) readonly functionCode!: string;
  @Choice(answerModes, { description: 'How it was answered' }) readonly mode!: AnswerMode;
  @Text({ min: 1, max: 4_000, description: 'The question' }) readonly question!: string;
  @Text({ max: 200_000, description: 'The answer, as far as it was given' }) readonly answer!: string;
  @Text({ min: 2, max: 12, description: 'Language of the question' }) readonly language!: string;
  @Choice(answerStates, { description: 'How the answer ended' }) readonly state!: AnswerState;
  @ListOf(() => MessageCitation, { max: 99, description: 'What the answer cites, by number' })
  readonly citations!: readonly MessageCitation[];
  @TextList({ names: 'operation', max: 99, length: 120, optional: true, description: 'Operations that it cites' })
  readonly operations?: readonly string[];
  @Flag({ optional: true, description: 'Whether it states a record of a result that names no document' })
  readonly statesRecords?: boolean;
  @Text({ max: 200, nullable: true, description: 'Model of a new conversation; null without one' })
  readonly model!: string | null;
  @ListOf(() => ConversationLayer, { max: 20, description: 'Parts of its prompt; empty without a model' })
  readonly layers!: readonly ConversationLayer[];
}

export class StoredAnswer extends ConversationReference {
  @Int({ min: 1, description: 'Number of the question' }) readonly userMessageId!: number;
  @Int({ min: 1, description: 'Number of the answer' }) readonly messageId!: number;
}

/** @throws NotFound for a conversation that the caller has no longer */
export const storeAnswer = call({
  ...ofCaller,
  code: 'conversations.store_answer',
  effect: 'write',
  callers: ['chat'],
  input: AnsweredQuestion,
  output: StoredAnswer,
});
