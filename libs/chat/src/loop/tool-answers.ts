import { Injectable } from '@nestjs/common';
import { decode, DomainError, SearchResult } from '@acervo/contracts';
import { fencedData, type ToolCall } from '@acervo/models/chat';
import { Logger } from '@acervo/platform-observability';
import type { Scope } from '@acervo/rbac';
import { AgentTools } from '../agent/agent-tools';
import { boundedResult } from '../agent/bounded-result';
import { CONFIRMATION_NAMES } from '../agent/confirmation';
import type { Tool } from '../agent/tool-catalogue';
import { passagesOf } from '../answering/passages';
import { passageBlock } from '../answering/prompts';
import { isRetrieval, isSearch, operationOf, summaryOf, useOf } from './loop-catalogue';
import type { LoopState } from './loop-state';
import { pendingOf } from './pending-actions';

type JsonObject = Readonly<Record<string, unknown>>;

/** What the calls of one question share. */
export interface LoopCalls {
  readonly scope: Scope;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly state: LoopState;
  readonly mostRetrievals: number;
  /** Bytes of a result that the model reads. */
  readonly resultBytes: number;
  /** Most documents of a search. */
  readonly documents: number;
  /** The folder that the question is restricted to. */
  readonly locationCode: string | undefined;
}

/** The model reads why a call brought nothing, and goes on. */
export const refusal = (code: string, message: string): string => JSON.stringify({ error: { code, message } });

const argumentsOf = (input: string): JsonObject | undefined => {
  try {
    const parsed: unknown = JSON.parse(input.trim() === '' ? '{}' : input);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as JsonObject) : undefined;
  } catch {
    return undefined;
  }
};

const withoutConfirmation = (toolArguments: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(toolArguments).filter(([name]) => !CONFIRMATION_NAMES.includes(name)));

const objectAt = (value: unknown, name: string): JsonObject => {
  const found: unknown = typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined;
  return typeof found === 'object' && found !== null ? (found as JsonObject) : {};
};

/** Answers the calls of a model, each as `POST /v1/agent/tools/{name}` would for the same caller. */
@Injectable()
export class ToolAnswers {
  constructor(
    private readonly tools: AgentTools,
    private readonly logger: Logger,
  ) {}

  /** What the model reads in answer to a call. A refused call is an answer too. */
  async of(calls: LoopCalls, { name, input }: ToolCall): Promise<string> {
    const tool = calls.tools.get(name);
    if (tool === undefined) return refusal('NOT_FOUND', 'There is no such tool for this question.');
    const sent = argumentsOf(input);
    if (sent === undefined) return refusal('VALIDATION_ERROR', 'The arguments are no JSON object.');
    const toolArguments = withoutConfirmation(sent);
    if (useOf(tool) === 'withhold') {
      calls.state.pending.push(pendingOf(operationOf(tool), toolArguments));
      return refusal('PERSON_REQUIRED', 'This changes something, which only a person does. Nothing was done.');
    }
    if (isRetrieval(tool, toolArguments) && calls.state.retrievals.length >= calls.mostRetrievals)
      return refusal('LIMIT_REACHED', 'No retrievals are left for this question. Answer from what you have.');
    try {
      return await this.answered(calls, tool, toolArguments);
    } catch (error) {
      if (!(error instanceof DomainError)) this.logger.error({ error, tool: name }, 'a tool of the chat model failed');
      const message = error instanceof DomainError ? error.message : 'The tool failed.';
      return refusal(error instanceof DomainError ? error.code : 'INTERNAL_ERROR', message.slice(0, 500));
    }
  }

  private async answered(calls: LoopCalls, tool: Tool, toolArguments: JsonObject): Promise<string> {
    if (isSearch(tool)) return this.searched(calls, toolArguments);
    const retrievedAt = new Date().toISOString();
    const result = await this.send(calls, tool.listed.publicName, toolArguments);
    if (isRetrieval(tool, toolArguments)) calls.state.retrievals.push({ retrievedAt });
    return useOf(tool) === 'preview' ? this.previewed(calls, tool, result) : this.read(calls, tool, result);
  }

  /** Passages of a further search, under numbers that follow those of the question. */
  private async searched({ state, ...calls }: LoopCalls, toolArguments: JsonObject): Promise<string> {
    const { limit, entity_code: entityCode } = toolArguments;
    const bounded = {
      ...toolArguments,
      limit: typeof limit === 'number' ? Math.min(limit, calls.documents) : (limit ?? calls.documents),
      ...(calls.locationCode === undefined ? {} : { location_code: calls.locationCode }),
    };
    const retrievedAt = new Date().toISOString();
    const result = await this.send({ state, ...calls }, 'search_documents', bounded);
    state.retrievals.push({ retrievedAt, ...(typeof entityCode === 'string' ? { entityCode } : {}) });
    const found = decode(SearchResult, result, { closed: false, representation: 'public' });
    const passages = state.addPassages(passagesOf(found));
    return passages.length === 0 ? 'The search found no passages.' : passages.map(passageBlock).join('\n\n');
  }

  private read({ state, resultBytes }: LoopCalls, tool: Tool, result: JsonObject): string {
    const bounded = boundedResult(result, resultBytes);
    const { operation } = tool.listed;
    const { number } = state.addResult({ operation, summary: summaryOf(tool) }, bounded);
    return fencedData(`result ${String(number)}, ${operation}`, JSON.stringify(bounded), resultBytes).text;
  }

  /** A preview is for the person: the model reads its counts, and no token that would confirm it. */
  private previewed({ state, resultBytes }: LoopCalls, tool: Tool, outcome: JsonObject): string {
    const preview = objectAt(outcome, 'preview');
    const effect = objectAt(preview, 'effect');
    state.pending.push(pendingOf(operationOf(tool), objectAt(preview, 'input'), effect));
    const shown = { executed: false, confirm_required: true, effect };
    const { text } = fencedData(`preview of ${tool.listed.operation}`, JSON.stringify(shown), resultBytes);
    return `${text}\n\nNothing was done. The person is shown what waits for a confirmation, and where it is given.`;
  }

  private send({ scope }: LoopCalls, publicName: string, toolArguments: JsonObject): Promise<JsonObject> {
    return this.tools.call(scope, { publicName, functionProfile: 'user_chat', arguments: toolArguments });
  }
}
