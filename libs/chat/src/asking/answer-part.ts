import type { AnsweredQuestion, MessageCitation } from '@acervo/contracts';

/** A part of the text, with the citations that it is the first to use. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly citations: readonly MessageCitation[];
}

/** A part of an answer as it is written; the last part has the whole answer, ready to be stored. */
export type AnswerPart = TextPart | { readonly kind: 'end'; readonly answered: AnsweredQuestion };

/** What is known of an answer before its first part: everything that is stored but text, state and citations. */
export type BegunAnswer = Omit<AnsweredQuestion, 'answer' | 'state' | 'citations'>;

/** An answer that was begun: what it belongs to, and its parts. */
export interface Answering {
  readonly begun: BegunAnswer;
  readonly parts: AsyncIterable<AnswerPart>;
}

/** The whole answer of an answering. @throws where the parts end without it */
export const wholeAnswer = async ({ parts }: Answering): Promise<AnsweredQuestion> => {
  for await (const part of parts) if (part.kind === 'end') return part.answered;
  throw new Error('An answer ended without its last part.');
};
