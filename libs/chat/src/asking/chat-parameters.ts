import { Injectable } from '@nestjs/common';
import { type LanguageCode, languageNamed } from '@acervo/analysis';
import { readParameters } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { type Scope, WorkScope } from '@acervo/rbac';
import type { AnsweringFunction } from './answering-function';

/** What a group decides about its answers. */
export interface AnswerParameters {
  /** The language of a question that is too short to tell. */
  readonly language: LanguageCode;
  readonly helpEnabled: boolean;
  /** Most documents of an answer. */
  readonly documents: number;
  /** Least similarity of what an answer is drawn from, from 0 to 1. */
  readonly similarity: number;
  /** Whether text may be sent to a chat model outside of the machine. */
  readonly modelAllowed: boolean;
  /** The model that a function is answered with; null for the default of the installation. */
  readonly model: string | null;
}

/** The parameter with the model of one function. */
const MODEL_OF: Readonly<Record<AnsweringFunction, string>> = {
  'CHAT-USER': 'CHAT_MODEL_CHAT-USER',
  'CHAT-FINAL-USER': 'CHAT_MODEL_CHAT-FINAL-USER',
};

const CODES = [
  'LANGUAGE',
  'HELP_ENABLED',
  'ANSWER_DOCUMENTS',
  'ANSWER_SIMILARITY',
  'CHAT_MODEL_ALLOWED',
  'CHAT_MODEL',
] as const;

/** Reads the parameters of a group that answers depend on. */
@Injectable()
export class ChatParameters {
  constructor(private readonly calls: Calls) {}

  async of({ groupId }: Scope, functionCode: AnsweringFunction): Promise<AnswerParameters> {
    const modelOfFunction = MODEL_OF[functionCode];
    const scope = new WorkScope(groupId, 'chat', 'question');
    const { values } = await this.calls.send(readParameters, scope, { parameterCodes: [...CODES, modelOfFunction] });
    const found = new Map(values.map(({ parameterCode, value }) => [parameterCode, value]));
    return {
      language: languageNamed(found.get('LANGUAGE') ?? 'es'),
      helpEnabled: found.get('HELP_ENABLED') === 'true',
      documents: Number(found.get('ANSWER_DOCUMENTS')),
      similarity: Number(found.get('ANSWER_SIMILARITY')),
      modelAllowed: found.get('CHAT_MODEL_ALLOWED') === 'true',
      model: found.get(modelOfFunction) ?? found.get('CHAT_MODEL') ?? null,
    };
  }
}
