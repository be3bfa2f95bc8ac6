import { Injectable } from '@nestjs/common';
import type { LanguageCode } from '@acervo/analysis';
import { ChatModel, ChatModelFailure } from '@acervo/models/chat';
import { Logger } from '@acervo/platform-observability';
import type { Scope } from '@acervo/rbac';
import type { AnswerSentence } from '../answering/answer';
import { CitedSentences } from '../answering/cited-answer';
import { reportFailure, requestOf } from '../answering/model-requests';
import { ANSWER_LAYER, type AnswerPromptInput, answerPrompt } from '../answering/prompts';
import {
  acceptedRewriting,
  REWRITING_LAYER,
  REWRITING_TOKENS,
  rewritingMessages,
  rewritingPrompt,
} from '../answering/rewriting';

/** Tokens of an answer, at most. */
const ANSWER_TOKENS = 1_000;
const ANSWER_MS = 60_000;
const REWRITING_MS = 15_000;

/** Has a chat model write, and keeps of it what can be checked. */
@Injectable()
export class ModelWriter {
  constructor(
    private readonly model: ChatModel,
    private readonly logger: Logger,
  ) {}

  /**
   * The sentences of a model that its passages support, each as soon as it is complete. A reader that stops ends the
   * request. @throws ChatModelFailure, also after some sentences
   */
  async *sentences(
    scope: Scope,
    model: string,
    input: AnswerPromptInput,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<AnswerSentence> {
    const { messages, prompt } = answerPrompt(input);
    const asked = { code: ANSWER_LAYER.code, prompt, messages, maxTokens: ANSWER_TOKENS, timeoutMs: ANSWER_MS };
    const cited = new CitedSentences(input.passages, input.language);
    try {
      for await (const part of this.model.stream(requestOf(scope, model, asked, signal)))
        yield* part.kind === 'text' ? cited.add(part.text) : cited.end();
    } catch (error) {
      reportFailure(this.logger, error, model);
      throw error;
    }
  }

  /** A question that stands alone; undefined where the model fails, or adds what the conversation does not have. */
  async rewritten(
    scope: Scope,
    model: string,
    { question, earlier, language }: { question: string; earlier: readonly string[]; language: LanguageCode },
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const messages = rewritingMessages(question, earlier);
    const asked = {
      ...{ code: REWRITING_LAYER.code, prompt: rewritingPrompt, messages },
      ...{ maxTokens: REWRITING_TOKENS, timeoutMs: REWRITING_MS },
    };
    try {
      const { text } = await this.model.complete(requestOf(scope, model, asked, signal));
      return acceptedRewriting(text, question, earlier, language);
    } catch (error) {
      reportFailure(this.logger, error, model);
      if (!(error instanceof ChatModelFailure)) throw error;
      return undefined;
    }
  }
}
