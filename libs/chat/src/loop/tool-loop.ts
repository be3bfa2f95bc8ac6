import { Injectable } from '@nestjs/common';
import {
  ChatAborted,
  type ChatCompletion,
  type ChatMessage,
  ChatModel,
  ChatModelFailure,
  type ChatTool,
  type ComposedPrompt,
  estimatedTokens,
  type ToolCall,
} from '@acervo/models/chat';
import { awaitedMs } from '@acervo/platform-calls';
import { Logger } from '@acervo/platform-observability';
import { unlessAborted } from '@acervo/platform-resilience';
import { ChatConfig } from '@acervo/platform-service';
import type { Scope } from '@acervo/rbac';
import { AgentConfig } from '../agent/agent.config';
import { ToolCatalogue } from '../agent/tool-catalogue';
import type { AnswerSentence } from '../answering/answer';
import { CitedSentences } from '../answering/cited-answer';
import { reportFailure, requestOf } from '../answering/model-requests';
import { ANSWER_LAYER, type AnswerPromptInput, answerPrompt } from '../answering/prompts';
import { DocumentVisibility } from '../conversations/document-visibility';
import { loopTools, offeredTools } from './loop-catalogue';
import type { LoopState } from './loop-state';
import { type LoopCalls, refusal, ToolAnswers } from './tool-answers';

/** Tokens of one round, at most. */
const ROUND_TOKENS = 1_000;
/** Time before the end of a question in which its answer is checked and stored. */
const REST_MS = 15_000;
/** Bytes of a result that the model reads, also where a request has room for more. */
const MOST_RESULT_BYTES = 16_000;
/** Calls of one round that are sent. */
const MOST_CALLS = 8;
const ANSWER_NOW = 'No tools are left for this question. Answer now from the passages and results above.';

/** A question that a model with tools answers. */
export interface LoopQuestion extends Omit<AnswerPromptInput, 'passages'> {
  readonly scope: Scope;
  readonly model: string;
  /** The folder that it is restricted to. */
  readonly locationCode: string | undefined;
  /** Most documents of a search. */
  readonly documents: number;
  readonly signal: AbortSignal | undefined;
}

/** What stays the same in all rounds of a question. */
interface LoopWork {
  readonly question: LoopQuestion;
  readonly state: LoopState;
  readonly calls: LoopCalls;
  /** What the model is offered in each round but the last one. */
  readonly offered: readonly ChatTool[];
  readonly prompt: ComposedPrompt;
  readonly cited: CitedSentences;
  readonly messages: ChatMessage[];
  readonly endsAt: number;
}

const tokensOf = (sent: unknown): number => estimatedTokens(JSON.stringify(sent));

/**
 * Lets a model look further while it answers: it calls tools of the asker, and reads what they answer. Rounds,
 * retrievals and time are those of `agent.config.ts`.
 */
@Injectable()
export class ToolLoop {
  constructor(
    private readonly model: ChatModel,
    private readonly catalogue: ToolCatalogue,
    private readonly answers: ToolAnswers,
    private readonly visible: DocumentVisibility,
    private readonly config: AgentConfig,
    private readonly chat: ChatConfig,
    private readonly logger: Logger,
  ) {}

  /**
   * The sentences that passages and results support, each as soon as it is complete. A reader that stops ends the
   * request to the model. @throws ChatModelFailure where the model fails or the time is over, also after some
   * sentences; ChatAborted when the signal ends the work
   */
  async *sentences(question: LoopQuestion, state: LoopState): AsyncGenerator<AnswerSentence> {
    try {
      yield* this.rounds(this.begin(question, state));
    } catch (error) {
      reportFailure(this.logger, error, question.model);
      throw error;
    }
  }

  private begin(question: LoopQuestion, state: LoopState): LoopWork {
    const { scope, documents, locationCode } = question;
    const { maxRetrievalCalls: mostRetrievals, timeoutSeconds } = this.config;
    const tools = loopTools(this.catalogue, scope, locationCode);
    const { messages, prompt } = answerPrompt({ ...question, passages: state.passages });
    const room = this.room(messages);
    // A third of the room, at three bytes a token.
    const resultBytes = Math.max(0, Math.min(MOST_RESULT_BYTES, room));
    return {
      ...{ question, state, prompt },
      calls: { scope, tools, state, mostRetrievals, resultBytes, documents, locationCode },
      offered: offeredTools(tools, room / 2),
      cited: new CitedSentences(state.sources, question.language, state.citable),
      messages: [...messages],
      endsAt: performance.now() + Math.min(timeoutSeconds * 1_000, awaitedMs() - REST_MS),
    };
  }

  private async *rounds(work: LoopWork): AsyncGenerator<AnswerSentence> {
    const { maxIterations } = this.config;
    for (let round = 1; round <= maxIterations; round += 1) {
      const isLast = round === maxIterations || this.room(work.messages, work.offered) < ROUND_TOKENS;
      if (isLast && round > 1) work.messages.push({ role: 'user', content: ANSWER_NOW });
      const { text, toolCalls } = yield* this.round(work, isLast);
      if (toolCalls.length === 0) return;
      // The names of calls are the model's, and need not differ.
      const named = toolCalls.map((call, place) => ({ ...call, id: `call_${String(round)}_${String(place + 1)}` }));
      work.messages.push({ role: 'assistant', content: text, toolCalls: named });
      for (const [place, call] of named.entries())
        work.messages.push({ role: 'tool', toolCallId: call.id, content: await this.fitting(work, call, place) });
      const { state, question } = work;
      state.keep(await this.visible.among(question.scope, state.documents()));
    }
  }

  /** One request to the model; in the last one it has no tools. */
  private async *round(work: LoopWork, isLast: boolean): AsyncGenerator<AnswerSentence, ChatCompletion> {
    const { question, prompt, cited, messages, offered } = work;
    const { scope, model, signal } = question;
    const asked = {
      ...{ code: ANSWER_LAYER.code, prompt, messages, maxTokens: ROUND_TOKENS, timeoutMs: this.timeLeft(work) },
      ...(isLast ? {} : { tools: offered }),
    };
    for await (const part of this.model.stream(requestOf(scope, model, asked, signal))) {
      if (part.kind === 'text') yield* cited.add(part.text);
      else {
        yield* cited.end();
        return part.completion;
      }
    }
    throw new ChatModelFailure('UNREACHABLE', 'the answer broke off');
  }

  /** Tokens that a request leaves to further messages, beside its own and those of its answer. */
  private room(messages: readonly ChatMessage[], offered: readonly ChatTool[] = []): number {
    return this.chat.chatContextTokens - ROUND_TOKENS - tokensOf([messages, offered]);
  }

  /** The answer to a call, as far as the next request has room for it. */
  private async fitting(work: LoopWork, call: ToolCall, place: number): Promise<string> {
    const answer = await this.answerTo(work, call, place);
    if (tokensOf(answer) <= this.room(work.messages, work.offered)) return answer;
    return refusal('LIMIT_REACHED', 'The result is longer than what you can still read. Answer from what you have.');
  }

  private async answerTo(work: LoopWork, call: ToolCall, place: number): Promise<string> {
    if (place >= MOST_CALLS) return refusal('LIMIT_REACHED', 'Too many calls.');
    const { signal } = work.question;
    const late = AbortSignal.timeout(this.timeLeft(work));
    const over = signal === undefined ? late : AbortSignal.any([signal, late]);
    try {
      return await unlessAborted(over, this.answers.of(work.calls, call));
    } catch (error) {
      if (error !== over.reason) throw error;
      throw signal?.aborted === true ? new ChatAborted() : new ChatModelFailure('UNREACHABLE', 'no time is left');
    }
  }

  private timeLeft({ endsAt }: LoopWork): number {
    const left = Math.floor(endsAt - performance.now());
    if (left <= 0) throw new ChatModelFailure('UNREACHABLE', 'no time is left');
    return left;
  }
}
