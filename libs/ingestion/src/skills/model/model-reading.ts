import { Injectable } from '@nestjs/common';
import {
  type AnswerSchema,
  ChatModel,
  ChatModelFailure,
  type ChatCompletion,
  type ChatMessage,
  type ComposedPrompt,
  fencedData,
  type RequestPurpose,
} from '@acervo/models/chat';
import { FOUND_STATEMENTS, type FoundStatement, readAnswer } from './found-statements';

/** Tokens of an answer, at most. */
export const ANSWER_TOKENS = 2_000;
/** The longest wait for an answer. The lease of the run is renewed meanwhile. */
const ANSWER_MS = 45_000;
/** Characters of an unusable answer that the model gets back. */
const MOST_RETURNED = 8_000;

const TASK = 'Do the task with the data above. Answer with JSON of the schema alone.';
const REPAIR =
  'That is no whole JSON of the schema. Write the answer again: JSON of the schema alone, with fewer statements where it was too long.';

/** The form of an answer: what the model is asked for, and its statements; undefined for an answer of another form. */
export interface AnswerForm {
  /** What the model reads a part of; a document where it is absent. */
  readonly subject?: string;
  readonly schema: AnswerSchema;
  readonly read: (text: string) => readonly FoundStatement[] | undefined;
}

export const STATEMENTS: AnswerForm = { schema: FOUND_STATEMENTS, read: readAnswer };

/** One slice of a text, with what it is read for. */
export interface SliceReading {
  readonly groupId: string;
  readonly model: string;
  readonly prompt: ComposedPrompt;
  readonly purpose: RequestPurpose;
  readonly text: string;
  /** Which part of how many it is, from 1. */
  readonly part: number;
  readonly parts: number;
  /** Statements with quotes where it is absent. */
  readonly form?: AnswerForm;
  readonly signal: AbortSignal;
}

/** A model that withholds its answer would withhold it again. */
export class AnswerWithheld extends Error {
  constructor() {
    super('The chat model withholds the answer about this document.');
    this.name = 'AnswerWithheld';
  }
}

/** Has a model read slices of texts. */
@Injectable()
export class ModelReading {
  constructor(private readonly model: ChatModel) {}

  /**
   * The statements that a model finds in a slice. An answer that is no JSON of the schema is repaired once.
   * @throws ChatModelFailure, UNUSABLE for a second such answer; AnswerWithheld; ChatAborted when the signal ends it
   */
  async read(reading: SliceReading): Promise<readonly FoundStatement[]> {
    const { prompt, text, part, parts, form = STATEMENTS } = reading;
    const label = `${form.subject ?? 'document'}, part ${part} of ${parts}`;
    const messages: readonly ChatMessage[] = [
      { role: 'system', content: prompt.text },
      { role: 'user', content: `${fencedData(label, text, text.length).text}\n\n${TASK}` },
    ];
    const first = await this.answer(reading, messages);
    const found = first === undefined ? undefined : form.read(first);
    if (found !== undefined) return found;
    const second = await this.answer(reading, [...messages, ...repairOf(first)]);
    const repaired = second === undefined ? undefined : form.read(second);
    if (repaired === undefined) throw new ChatModelFailure('UNUSABLE');
    return repaired;
  }

  /** What the model wrote; undefined where it has another form than requested. */
  private async answer(
    { groupId, purpose, model, form = STATEMENTS, signal }: SliceReading,
    messages: readonly ChatMessage[],
  ): Promise<string | undefined> {
    let completion: ChatCompletion;
    try {
      completion = await this.model.complete({
        ...{ group: groupId, purpose, model, messages, answer: form.schema },
        ...{ maxTokens: ANSWER_TOKENS, timeoutMs: ANSWER_MS, signal },
      });
    } catch (error) {
      if (error instanceof ChatModelFailure && error.reason === 'UNUSABLE') return undefined;
      throw error;
    }
    if (completion.finish === 'withheld') throw new AnswerWithheld();
    return completion.text;
  }
}

/** The answer that was unusable, where there is one, and the request to write it again. */
const repairOf = (answer: string | undefined): readonly ChatMessage[] => {
  const repair: ChatMessage = { role: 'user', content: REPAIR };
  if (answer === undefined || answer.trim() === '') return [repair];
  return [{ role: 'assistant', content: answer.slice(0, MOST_RETURNED).toWellFormed() }, repair];
};
