import { Choice, Code, Flag, Int, ListOf, Meaningful, Moment, Text } from '../fields';
import { CONVERSATION_NUMBER, type MessageRole, messageRoles, MOST_MESSAGES } from './conversations';

const FUNCTION = { wire: 'codigo_funcion', description: 'Function that it was opened for' } as const;
const TITLE = { wire: 'titulo', max: 200, description: 'Its first question, cut; empty before' } as const;
const NUMBER = { wire: 'id', min: 1, description: 'Number of the conversation' } as const;

/** The inputs and answers of `/chat`. */
export class EarlierNewConversation {
  @Code({ ...FUNCTION, names: 'function' }) readonly functionCode!: string;
}

export class EarlierConversation {
  @Int(NUMBER) readonly conversationId!: number;
  @Code(FUNCTION) readonly functionCode!: string;
  @Text(TITLE) readonly title!: string;
}

export class EarlierConversations {
  @ListOf(() => EarlierConversation, {
    wire: 'conversaciones',
    max: 200,
    description: 'Own conversations, the latest answer first',
  })
  readonly conversations!: readonly EarlierConversation[];
}

export class EarlierConversationReference {
  @Int({ ...CONVERSATION_NUMBER, wire: 'id', description: 'Number of an own conversation' })
  readonly conversationId!: number;
}

export class EarlierCitation {
  @Int({ wire: 'numero', min: 1, max: 99, description: 'Its number in the answer' }) readonly number!: number;
  @Code({ wire: 'codigo_documento', description: 'Document' }) readonly documentCode!: string;
  @Text({ wire: 'nombre_documento', max: 1024, description: 'Name of the document' }) readonly documentName!: string;
  @Int({ wire: 'pagina', min: 1, nullable: true, description: 'Page; null when the document has none' })
  readonly page!: number | null;
  @Text({ max: 4096, description: 'Opens the document' }) readonly url!: string;
  @Text({ wire: 'cita', max: 8_000, description: 'The passage, to the letter' }) readonly quote!: string;
}

export class EarlierMessage {
  @Int({ wire: 'id', min: 1, description: 'Number of the message' }) readonly messageId!: number;
  @Choice(messageRoles, { wire: 'rol', publicly: 'same', description: 'Who wrote it' }) readonly role!: MessageRole;
  @Text({ wire: 'texto', max: 200_000, description: 'Its text' }) readonly text!: string;
  @Moment({ wire: 'fecha', description: 'When it was stored' }) readonly createdAt!: string;
  @ListOf(() => EarlierCitation, { wire: 'citas', max: 99, description: 'What it cites, by number' })
  readonly citations!: readonly EarlierCitation[];
}

export class EarlierConversationDetail {
  @Int(NUMBER) readonly conversationId!: number;
  @Code(FUNCTION) readonly functionCode!: string;
  @Text(TITLE) readonly title!: string;
  @ListOf(() => EarlierMessage, {
    wire: 'mensajes',
    max: MOST_MESSAGES,
    description: 'Its latest messages, the earliest first',
  })
  readonly messages!: readonly EarlierMessage[];
}

export class EarlierQuestion {
  @Meaningful({ wire: 'mensaje', max: 4_000, description: 'The question, in any language' }) readonly question!: string;
  @Code({
    wire: 'codigo_ubicacion',
    names: 'location',
    optional: true,
    description: 'Restricts this question to a visible folder and its descendants',
  })
  readonly locationCode?: string;
}

export class EarlierConversationDeleted {
  @Flag({ wire: 'eliminada', description: 'Always true' }) readonly deleted!: boolean;
  @Int(NUMBER) readonly conversationId!: number;
}

/** One frame of a streamed answer: a part of its text, its end, or why it breaks off. */
export class AnswerFrame {
  @Text({ max: 200_000, optional: true, description: 'Part of the answer' }) readonly text?: string;
  @Flag({ optional: true, description: 'True in the last frame' }) readonly done?: boolean;
  @Int({ wire: 'id_mensaje_user', min: 1, optional: true, description: 'Number of the question; in the last frame' })
  readonly userMessageId?: number;
  @Int({ wire: 'id_mensaje_assistant', min: 1, optional: true, description: 'Number of the answer; in the last frame' })
  readonly messageId?: number;
  @Text({ max: 500, optional: true, description: 'Why the answer breaks off; no frame follows' })
  readonly error?: string;
}
