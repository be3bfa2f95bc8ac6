import { Injectable } from '@nestjs/common';
import type { LanguageCode } from '@acervo/analysis';
import { ChatModel, ChatModelFailure, type ChatRequest } from '@acervo/models/chat';
import { Logger } from '@acervo/platform-observability';
import type { Scope } from '@acervo/rbac';
import type { CitedAnswer } from '../answering/answer';
import { citedAnswer } from '../answering/cited-answer';
import { type AnswerPromptInput, answerPrompt } from '../answering/prompts';
import { acceptedRewriting, REWRITING_TOKENS, rewritingMessages } from '../answering/rewriting';

/** Tokens of an answer, at most. */
const ANSWER_TOKENS = 1_000;
const ANSWER_MS = 60_000;
const REWRITING_MS = 15_000;

type Asked = Pick<ChatRequest, 'messages' | 'maxTokens' | 'timeoutMs'>;

/** Has a chat model write, and keeps of it what can be checked. */
@Injectable()
export class ModelWriter {
  constructor(
    private readonly model: ChatModel,
    private readonly logger: Logger,
  ) {}

  /** The answer of a model with what its passages support; undefined where the model fails. */
  async answer(
    scope: Scope,
    model: string,
    input: AnswerPromptInput,
    signal: AbortSignal | undefined,
  ): Promise<CitedAnswer | undefined> {
    const { messages } = answerPrompt(input);
    const asked = { messages, maxTokens: ANSWER_TOKENS, timeoutMs: ANSWER_MS };
    const written = await this.written(scope, model, asked, signal);
    return written === undefined ? undefined : citedAnswer(written, input.passages, input.language);
  }

  /** A question that stands alone; undefined where the model fails, or adds what the conversation does not have. */
  async rewritten(
    scope: Scope,
    model: string,
    { question, earlier, language }: { question: string; earlier: readonly string[]; language: LanguageCode },
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const messages = rewritingMessages(question, earlier);
    const asked = { messages, maxTokens: REWRITING_TOKENS, timeoutMs: REWRITING_MS };
    const written = await this.written(scope, model, asked, signal);
    return written === undefined ? undefined : acceptedRewriting(written, question, earlier, language);
  }

  private async written(
    { groupId }: Scope,
    model: string,
    asked: Asked,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const request: ChatRequest = { ...asked, group: groupId, model, ...(signal === undefined ? {} : { signal }) };
    try {
      return (await this.model.complete(request)).text;
    } catch (error) {
      if (!(error instanceof ChatModelFailure)) throw error;
      this.logger.warn({ reason: error.reason, model }, 'a chat model failed; the answer quotes the documents');
      return undefined;
    }
  }
}
