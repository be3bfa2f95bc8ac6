import type { ChatCompletion, ChatRequest, FinishReason, TokenUsage, ToolCall } from './chat-model';
import { ChatModelFailure } from './chat.errors';

/** Characters that one token stands for at least, on average, in the languages of the product. */
const CHARACTERS_A_TOKEN = 3;
/** Characters that one token stands for at most, on average: the cap of an answer. */
const MOST_CHARACTERS_A_TOKEN = 16;
const MOST_TOOL_CALLS = 32;

/** Tokens of a text, estimated from its length. */
export const estimatedTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_A_TOKEN);

/** Tokens of everything that a request sends. */
export const requestTokens = ({ messages, tools = [], answer }: ChatRequest): number =>
  estimatedTokens(JSON.stringify([messages, tools, answer ?? null]));

/** Most characters of an answer, of its text and of the input of its tools. */
export const mostCharacters = ({ maxTokens }: ChatRequest): number => maxTokens * MOST_CHARACTERS_A_TOKEN;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const FINISHES: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tools'],
  ['content_filter', 'withheld'],
]);

/** What a provider sends of an answer: whole, or in parts that add up. */
export class AnswerBuilder {
  private text = '';
  private characters = 0;
  private isBegun = false;
  private finish: FinishReason | null = null;
  private usage: TokenUsage | null = null;
  private readonly calls = new Map<number, { id: string; name: string; input: string }>();

  constructor(
    private readonly model: string,
    private readonly request: ChatRequest,
  ) {}

  /**
   * Adds one message of the provider, a completion or a chunk, and returns the text that it brought.
   * @throws ChatModelFailure UNUSABLE
   */
  add(body: unknown, part: 'message' | 'delta'): string {
    this.isBegun = true;
    if (!isRecord(body)) throw new ChatModelFailure('UNUSABLE', 'it is no object');
    this.count(body['usage']);
    const choices = body['choices'];
    if (!Array.isArray(choices)) throw new ChatModelFailure('UNUSABLE', 'it has no choices');
    const choice: unknown = choices[0];
    if (choice === undefined && part === 'delta') return '';
    if (!isRecord(choice)) throw new ChatModelFailure('UNUSABLE', 'it has no choice');
    this.finish = FINISHES.get(choice['finish_reason']) ?? this.finish;
    const message = choice[part];
    if (!isRecord(message)) return '';
    this.addCalls(message['tool_calls']);
    const { content, refusal } = message;
    if (typeof refusal === 'string' && refusal !== '') this.finish = 'withheld';
    if (typeof content !== 'string') return '';
    this.grow(content);
    this.text += content;
    return content;
  }

  /** What the answer took so far. */
  get spent(): TokenUsage {
    return this.usage ?? this.estimate();
  }

  /** Whether anything of an answer came. */
  get hasBegun(): boolean {
    return this.isBegun;
  }

  /** The whole answer. @throws ChatModelFailure where its end is missing, or it calls tools and none were offered */
  build(): ChatCompletion {
    if (this.finish === null) throw new ChatModelFailure('UNREACHABLE', 'the answer broke off');
    const toolCalls: readonly ToolCall[] = [...this.calls.values()];
    if (toolCalls.length > 0 && (this.request.tools ?? []).length === 0)
      throw new ChatModelFailure('UNUSABLE', 'it calls a tool, and none was offered');
    const text = this.text.toWellFormed();
    const finish = toolCalls.length > 0 && this.finish === 'stop' ? 'tools' : this.finish;
    return { model: this.model, text, toolCalls, finish, usage: this.spent };
  }

  private estimate(): TokenUsage {
    const written = [this.text, ...[...this.calls.values()].map(({ input }) => input)].join('');
    return { tokensIn: requestTokens(this.request), tokensOut: estimatedTokens(written), isCounted: false };
  }

  private count(usage: unknown): void {
    if (!isRecord(usage)) return;
    const { prompt_tokens: tokensIn, completion_tokens: tokensOut } = usage;
    if (!Number.isSafeInteger(tokensIn) || !Number.isSafeInteger(tokensOut)) return;
    this.usage = {
      tokensIn: Math.max(0, Number(tokensIn)),
      tokensOut: Math.max(0, Number(tokensOut)),
      isCounted: true,
    };
  }

  private grow(text: string): void {
    this.characters += text.length;
    if (this.characters > mostCharacters(this.request)) throw new ChatModelFailure('UNUSABLE', 'it is too long');
  }

  private addCalls(calls: unknown): void {
    if (!Array.isArray(calls)) return;
    for (const [place, call] of calls.entries() as IterableIterator<[number, unknown]>) {
      if (!isRecord(call) || !isRecord(call['function'])) throw new ChatModelFailure('UNUSABLE', 'a call has no form');
      const index = typeof call['index'] === 'number' ? call['index'] : place;
      const { name, arguments: input } = call['function'];
      const merged = this.calls.get(index) ?? { id: '', name: '', input: '' };
      if (typeof call['id'] === 'string' && merged.id === '') merged.id = call['id'].slice(0, 200);
      if (typeof name === 'string' && merged.name === '') merged.name = name.slice(0, 200);
      if (typeof input === 'string') {
        this.grow(input);
        merged.input += input;
      }
      this.calls.set(index, merged);
      if (this.calls.size > MOST_TOOL_CALLS) throw new ChatModelFailure('UNUSABLE', 'it calls too many tools');
    }
  }
}
