import type { LayerRecord } from './prompt-layers';

/** A JSON schema, as providers of chat models read it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A call of a tool that the model asks for. `input` is the JSON text that the model wrote; it may not parse. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/** A tool that the model may ask for. The caller executes it, with the rights of its user. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** The form of an answer in JSON. The provider is asked for it; the caller checks it. */
export interface AnswerSchema {
  /** Letters, digits, `_` and `-`; at most 64. */
  readonly name: string;
  readonly schema: JsonSchema;
}

/** What a request is for. It is recorded with the numbers of the request. */
export interface RequestPurpose {
  /** The code of a skill, or of a task of the product, such as `CHAT-ANSWER`. */
  readonly code: string;
  /** The entity that its tokens count for; null without one. */
  readonly entityCode: string | null;
  /** The layers of its prompt. */
  readonly layers: readonly LayerRecord[];
}

export interface ChatRequest {
  /** The group that the request counts for: groups take turns and have a limit of tokens each. */
  readonly group: string;
  readonly purpose: RequestPurpose;
  /** One of `models`; the first one where it is absent. */
  readonly model?: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[];
  readonly answer?: AnswerSchema;
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  /** Time limit in milliseconds: waits, retries and the whole answer. */
  readonly timeoutMs: number;
  /** Ends the request; all its work ends with it. */
  readonly signal?: AbortSignal;
}

/** Why an answer ended: the model was done, its tokens were used up, it asks for tools, or the provider withheld it. */
export type FinishReason = 'stop' | 'length' | 'tools' | 'withheld';

export interface TokenUsage {
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Whether the provider counted; otherwise the numbers are estimates. */
  readonly isCounted: boolean;
}

export interface ChatCompletion {
  readonly model: string;
  readonly text: string;
  /** As the model wrote them: a name may be one that was not offered. Empty where no tools were offered. */
  readonly toolCalls: readonly ToolCall[];
  readonly finish: FinishReason;
  readonly usage: TokenUsage;
}

/** A part of a streamed answer; the completion is the last part and has the whole text. */
export type ChatPart =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'end'; readonly completion: ChatCompletion };

/** Answers messages. What it answers is data of an untrusted source: callers check every part of it. */
export abstract class ChatModel {
  /** The models that a request may name, the default first; empty where no model is configured. */
  abstract readonly models: readonly string[];

  /** Those of them that call tools. */
  readonly toolModels: readonly string[] = [];

  get isConfigured(): boolean {
    return this.models.length > 0;
  }

  /** @throws ChatModelFailure with its reason; ChatAborted when the signal ends it */
  abstract complete(request: ChatRequest): Promise<ChatCompletion>;

  /**
   * The answer in parts, as the model writes them. A consumer that stops reading ends the request.
   * @throws as `complete`, also after the first parts
   */
  abstract stream(request: ChatRequest): AsyncIterable<ChatPart>;
}
