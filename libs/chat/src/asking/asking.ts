import { Injectable } from '@nestjs/common';
import { defaultLanguages, type LanguageCode } from '@acervo/analysis';
import { type ConversationLayer, type Question, searchDocuments } from '@acervo/contracts';
import { ANSWER_THRESHOLD, ChatModelFailure, composePrompt, DATA_RULE, type PromptLayer } from '@acervo/models/chat';
import { Calls } from '@acervo/platform-calls';
import { unlessAborted } from '@acervo/platform-resilience';
import type { Scope } from '@acervo/rbac';
import type { AnswerSentence } from '../answering/answer';
import { continuation } from '../answering/continued-answer';
import { DEFAULT_EXTRACTION, extractedAnswer } from '../answering/extracted-answer';
import { passagesOf } from '../answering/passages';
import { ANSWER_LAYER, TOOLS_LAYER } from '../answering/prompts';
import { questionLanguage } from '../answering/question-language';
import { rewrittenQuestion } from '../answering/rewriting';
import { HelpService } from '../help/help.service';
import { LoopState } from '../loop/loop-state';
import { pendingNotices } from '../loop/pending-actions';
import { ToolLoop } from '../loop/tool-loop';
import { type AnsweringFunction, answeringFunction } from './answering-function';
import { AnsweringModel } from './answering-model';
import { type Answering, type AnswerPart, type BegunAnswer, noParts, partsOf } from './answer-part';
import { HelpDisabled } from './asking.errors';
import { type AnswerParameters, ChatParameters } from './chat-parameters';
import { ConversationHistory, type Exchange, type OpenConversation } from './conversation-history';
import { GrowingAnswer } from './growing-answer';
import { ModelWriter } from './model-writer';
import { OrganizationLayers } from './organization-layers';

/** What writes the answers of a conversation. */
export interface Writer {
  readonly model: string | null;
  readonly layers: readonly ConversationLayer[];
}

/** A question with everything that its answer depends on. */
interface Prepared {
  readonly scope: Scope;
  readonly question: Question;
  readonly functionCode: AnsweringFunction;
  readonly exchanges: readonly Exchange[];
  readonly language: LanguageCode;
  readonly parameters: AnswerParameters;
  readonly signal: AbortSignal | undefined;
}

/** What is stored of the prompt of a conversation; nothing where no model reads it. */
const recordsOf = (model: string | null, layers: readonly PromptLayer[]): readonly ConversationLayer[] =>
  model === null ? [] : composePrompt([ANSWER_LAYER, DATA_RULE, ...layers]).layers;

/** Answers questions from documents that the asker sees, or from what the product says about itself. */
@Injectable()
export class Asking {
  constructor(
    private readonly calls: Calls,
    private readonly parameters: ChatParameters,
    private readonly history: ConversationHistory,
    private readonly models: AnsweringModel,
    private readonly writer: ModelWriter,
    private readonly loop: ToolLoop,
    private readonly organization: OrganizationLayers,
    private readonly help: HelpService,
  ) {}

  /**
   * Begins an answer: everything that may refuse the question is done when this resolves, its retrieval included.
   * @param signal ends all work on the answer; behind the retrieval, its parts end with it
   * @throws NotFound, QuotaExceeded, HelpDisabled where the group does without help, and what ends the work before
   */
  async begin(scope: Scope, question: Question, signal?: AbortSignal): Promise<Answering> {
    const prepared = await this.prepare(scope, question, signal);
    return question.mode === 'help' ? this.helped(prepared) : this.answered(prepared);
  }

  /** What a new conversation of a function is answered with. */
  async writerOf(scope: Scope, functionCode: AnsweringFunction): Promise<Writer> {
    const model = this.models.of(await this.parameters.of(scope, functionCode));
    return { model, layers: recordsOf(model, await this.layersOf(scope, model)) };
  }

  private async prepare(scope: Scope, question: Question, signal: AbortSignal | undefined): Promise<Prepared> {
    const named = answeringFunction(scope, question.functionCode);
    const open = await this.opened(scope, question);
    const functionCode = open?.functionCode ?? named;
    const parameters = await this.parameters.of(scope, functionCode);
    const language = questionLanguage(question.question, parameters.language, defaultLanguages);
    return { scope, question, functionCode, exchanges: open?.exchanges ?? [], language, parameters, signal };
  }

  private async opened(scope: Scope, { conversationId }: Question): Promise<OpenConversation | undefined> {
    return conversationId === undefined ? undefined : this.history.open(scope, conversationId);
  }

  private begun({ question, functionCode, language }: Prepared, writer: Writer): BegunAnswer {
    const { conversationId, mode, question: text } = question;
    const continued = conversationId === undefined ? {} : { conversationId };
    return { ...continued, functionCode, mode, question: text, language, ...writer };
  }

  private async helped(prepared: Prepared): Promise<Answering> {
    const { scope, question, exchanges, language, parameters } = prepared;
    if (!parameters.helpEnabled) throw new HelpDisabled();
    const begun = this.begun(prepared, { model: null, layers: [] });
    if (begun.conversationId !== undefined && this.help.accepts(exchanges, question.question)) {
      const { conversationId } = begun;
      const acceptance = { conversationId, question: question.question, language };
      return { begun, acceptance, retrievals: [], parts: partsOf(begun, '', 'DONE') };
    }
    const asked = { question: question.question, language, exchanges };
    const { text, state } = await this.help.answer(scope, asked);
    return { begun, retrievals: [], parts: partsOf(begun, text, state) };
  }

  private async answered(prepared: Prepared): Promise<Answering> {
    const { scope, question, parameters, signal } = prepared;
    const model = this.models.of(parameters);
    const layers = await this.layersOf(scope, model);
    const begun = this.begun(prepared, { model, layers: recordsOf(model, layers) });
    const { locationCode } = question;
    const request = {
      ...{ query: await this.query(prepared, model), limit: parameters.documents, minSimilarity: 0 },
      ...(locationCode === undefined ? {} : { locationCode }),
    };
    signal?.throwIfAborted();
    const retrievedAt = new Date().toISOString();
    const found = await unlessAborted(signal, this.calls.send(searchDocuments, scope, request)).catch(
      (error: unknown) => {
        if (signal?.aborted !== true || error !== signal.reason) throw error;
        return undefined;
      },
    );
    if (found === undefined) return { begun, retrievals: [{ retrievedAt }], parts: noParts() };
    const state = new LoopState(passagesOf(found), retrievedAt);
    return { begun, retrievals: state.retrievals, parts: this.parts(prepared, begun, state, layers) };
  }

  /** The question as it is searched for: one that refers back has the words that it refers to. */
  private async query(
    { scope, question, exchanges, language, signal }: Prepared,
    model: string | null,
  ): Promise<string> {
    const earlier = exchanges.map((each) => each.question);
    const byRules = rewrittenQuestion(question.question, earlier, language);
    if (model === null || !byRules.isRewritten) return byRules.text;
    const asked = { question: question.question, earlier, language };
    return (await this.writer.rewritten(scope, model, asked, signal)) ?? byRules.text;
  }

  private async *parts(
    prepared: Prepared,
    begun: BegunAnswer,
    state: LoopState,
    layers: readonly PromptLayer[],
  ): AsyncGenerator<AnswerPart> {
    const { language } = prepared;
    const notices = (): readonly string[] => pendingNotices(state.pending, language);
    const answer = new GrowingAnswer(begun, state, language, notices);
    for await (const sentence of this.sentences(prepared, begun.model, state, layers)) yield* answer.add(sentence);
    yield* answer.end();
  }

  /** What the model writes; without a model, or as soon as it fails, the best sentences of the passages. */
  private async *sentences(
    prepared: Prepared,
    model: string | null,
    state: LoopState,
    layers: readonly PromptLayer[],
  ): AsyncGenerator<AnswerSentence> {
    const written: AnswerSentence[] = [];
    try {
      for await (const sentence of this.writtenBy(model, prepared, state, layers)) {
        written.push(sentence);
        yield sentence;
      }
      if (this.isAsked(model, state)) return;
    } catch (error) {
      if (!(error instanceof ChatModelFailure)) throw error;
    }
    const { question, language, parameters } = prepared;
    const floor = Math.max(ANSWER_THRESHOLD, parameters.similarity);
    const extracted = extractedAnswer(question.question, state.passages, language, { ...DEFAULT_EXTRACTION, floor });
    yield* continuation(written, extracted.sentences, state.sources);
  }

  /** A model with tools may look further where the search found nothing. */
  private isAsked(model: string | null, { passages }: LoopState): model is string {
    return this.models.callsTools(model) || (model !== null && passages.length > 0);
  }

  private async *writtenBy(
    model: string | null,
    { scope, question: asked, exchanges: history, language, parameters, signal }: Prepared,
    state: LoopState,
    layers: readonly PromptLayer[],
  ): AsyncGenerator<AnswerSentence> {
    if (!this.isAsked(model, state)) return;
    const { question, locationCode } = asked;
    const input = { layers, history, question, language };
    if (this.models.callsTools(model)) {
      const { documents } = parameters;
      yield* this.loop.sentences({ ...input, scope, model, locationCode, documents, signal }, state);
    } else yield* this.writer.sentences(scope, model, { ...input, passages: state.passages }, signal);
  }

  private async layersOf(scope: Scope, model: string | null): Promise<readonly PromptLayer[]> {
    if (model === null) return [];
    const product = this.models.callsTools(model) ? [TOOLS_LAYER] : [];
    return [...product, ...(await this.organization.of(scope))];
  }
}
