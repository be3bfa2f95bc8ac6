import type { AnsweredQuestion, AnswerState, MessageCitation } from '@acervo/contracts';
import { textParts } from '../answering/answer-text';
import type { Acceptance } from '../help/support-requests';
import type { CountedRetrieval } from '../loop/loop-state';

/** What an answer rests on, and who may therefore read it. */
export interface AnswerBasis {
  readonly citations: readonly MessageCitation[];
  /** The codes of the operations that it cites. */
  readonly operations: readonly string[];
  /** Whether it states a record of a result that names no document. */
  readonly statesRecords: boolean;
}

/** The basis of a text of the product. */
export const NO_BASIS: AnswerBasis = { citations: [], operations: [], statesRecords: false };

/** A part of the text, with the basis of the text up to its end. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly basis: AnswerBasis;
}

/** A part of an answer as it is written; the last part has the whole answer, ready to be stored. */
export type AnswerPart = TextPart | { readonly kind: 'end'; readonly answered: AnsweredQuestion };

/** What is known of an answer before its first part: everything that is stored but text, state and basis. */
export type BegunAnswer = Omit<AnsweredQuestion, 'answer' | 'state' | keyof AnswerBasis>;

/** An answer that was begun: what it belongs to, and its parts. */
export interface Answering {
  readonly begun: BegunAnswer;
  /** They end without the last one where the signal of the question ends the work. */
  readonly parts: AsyncIterable<AnswerPart>;
  /** Its retrievals; more may follow while it is written. */
  readonly retrievals: readonly CountedRetrieval[];
  /** The support request that the question accepts; its registration gives the answer in place of the parts. */
  readonly acceptance?: Acceptance;
}

/** An answer in words of the product, in parts. */
export async function* partsOf(begun: BegunAnswer, text: string, state: AnswerState): AsyncGenerator<AnswerPart> {
  for (const part of textParts(text)) yield { kind: 'text', text: part, basis: NO_BASIS };
  yield { kind: 'end', answered: { ...begun, answer: text, state, ...NO_BASIS } };
}

/** The parts of an answer that was ended before its first one. */
export async function* noParts(): AsyncGenerator<AnswerPart> {}

/** The whole answer of an answering. @throws where the parts end without it */
export const wholeAnswer = async ({ parts }: Answering): Promise<AnsweredQuestion> => {
  for await (const part of parts) if (part.kind === 'end') return part.answered;
  throw new Error('An answer ended without its last part.');
};
