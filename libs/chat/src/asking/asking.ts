import { Injectable } from '@nestjs/common';
import { defaultLanguages, type LanguageCode } from '@acervo/analysis';
import { type ConversationLayer, type Question, searchDocuments } from '@acervo/contracts';
import { ANSWER_THRESHOLD, composePrompt, DATA_RULE, type PromptLayer } from '@acervo/models/chat';
import { Calls } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import type { CitedAnswer } from '../answering/answer';
import { answerText } from '../answering/answer-text';
import { DEFAULT_EXTRACTION, extractedAnswer } from '../answering/extracted-answer';
import { type Passage, passagesOf } from '../answering/passages';
import { ANSWER_LAYER } from '../answering/prompts';
import { questionLanguage } from '../answering/question-language';
import { rewrittenQuestion } from '../answering/rewriting';
import { HelpService } from '../help/help.service';
import { type AnsweringFunction, answeringFunction } from './answering-function';
import { AnsweringModel } from './answering-model';
import { type Answering, type AnswerPart, type BegunAnswer, partsOf } from './answer-part';
import { HelpDisabled } from './asking.errors';
import { type AnswerParameters, ChatParameters } from './chat-parameters';
import { ConversationHistory, type Exchange, type OpenConversation } from './conversation-history';
import { ModelWriter } from './model-writer';
import { OrganizationLayers } from './organization-layers';
import { citationsOf, lookedAt } from './stored-citations';

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
    private readonly organization: OrganizationLayers,
    private readonly help: HelpService,
  ) {}

  /**
   * Begins an answer: everything that may refuse the question is done when this resolves, its retrieval included.
   * @param signal ends all work on the answer
   * @throws NotFound, QuotaExceeded, and HelpDisabled where the group does without help
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
    const language = questionLanguage(question.question, 'es', defaultLanguages);
    const parameters = await this.parameters.of(scope, functionCode);
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
      return { begun, acceptance, parts: partsOf(begun, '', 'DONE', []) };
    }
    const asked = { question: question.question, language, exchanges };
    const { text, state } = await this.help.answer(scope, asked);
    return { begun, parts: partsOf(begun, text, state, []) };
  }

  private async answered(prepared: Prepared): Promise<Answering> {
    const { scope, question, parameters } = prepared;
    const model = this.models.of(parameters);
    const layers = await this.layersOf(scope, model);
    const { locationCode } = question;
    const found = await this.calls.send(searchDocuments, scope, {
      ...{ query: await this.query(prepared, model), limit: parameters.documents, minSimilarity: 0 },
      ...(locationCode === undefined ? {} : { locationCode }),
    });
    const begun = this.begun(prepared, { model, layers: recordsOf(model, layers) });
    return { begun, parts: this.parts(prepared, begun, passagesOf(found), layers) };
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
    passages: readonly Passage[],
    layers: readonly PromptLayer[],
  ): AsyncGenerator<AnswerPart> {
    const answer = await this.answer(prepared, begun.model, passages, layers);
    const text = answerText(answer, passages, prepared.language);
    if (answer.sentences.length === 0) yield* partsOf(begun, text, 'ABSTAINED', lookedAt(passages));
    else yield* partsOf(begun, text, 'DONE', citationsOf(answer, passages));
  }

  private async answer(
    { scope, question, exchanges: history, language, parameters, signal }: Prepared,
    model: string | null,
    passages: readonly Passage[],
    layers: readonly PromptLayer[],
  ): Promise<CitedAnswer> {
    if (model !== null && passages.length > 0) {
      const input = { layers, history, passages, question: question.question, language };
      const written = await this.writer.answer(scope, model, input, signal);
      if (written !== undefined) return written;
    }
    const floor = Math.max(ANSWER_THRESHOLD, parameters.similarity);
    return extractedAnswer(question.question, passages, language, { ...DEFAULT_EXTRACTION, floor });
  }

  private async layersOf(scope: Scope, model: string | null): Promise<readonly PromptLayer[]> {
    return model === null ? [] : this.organization.of(scope);
  }
}
