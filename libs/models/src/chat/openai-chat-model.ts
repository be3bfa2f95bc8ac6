import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { CallerGone, CircuitBreaker, exponential, FairSemaphore, pause, withJitter } from '@acervo/platform-resilience';
import { AnswerBuilder, requestTokens } from './chat-answer';
import { type ChatCompletion, ChatModel, type ChatPart, type ChatRequest, type TokenUsage } from './chat-model';
import { ChatAborted, ChatModelFailure } from './chat.errors';
import type { ChatEndpoint } from './chat-settings';
import type { ChatObserver, RequestEnd } from './chat-observer';
import { cappedFetch } from './capped-fetch';
import { completionBody } from './completion-body';
import { GroupTokens } from './group-tokens';
import { type ModelAccounts, NoAccounts, RequestAccount } from './model-accounts';
import { failureOf } from './provider-errors';
import { RetryBudget } from './retry-budget';

const MOST_WAITING = 256;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 20_000;
/** How long the circuit stays open after repeated failures. A probe lasts as long as a request may. */
const PAUSE_MS = 5_000;

/** One request on its way: its deadline, the signal that ends it, and the answer that it waits for. */
interface Attempt {
  readonly request: ChatRequest;
  readonly model: string;
  readonly endsAt: number;
  readonly signal: AbortSignal;
  /** The answer of the current try; null while nothing is sent. And what the tries before it took. */
  readonly sent: { answer: AnswerBuilder | null; earlier: TokenUsage | null };
}

/** What a model is asked with, beside its endpoint. */
export interface ChatModelOptions {
  readonly observer?: ChatObserver | undefined;
  readonly accounts?: ModelAccounts | undefined;
  /** Wait before the second try in milliseconds; it doubles from there. */
  readonly firstWaitMs?: number | undefined;
}

/** What two tries took. */
const together = (one: TokenUsage | null, other: TokenUsage | null): TokenUsage | null => {
  if (one === null || other === null) return one ?? other;
  return {
    tokensIn: one.tokensIn + other.tokensIn,
    tokensOut: one.tokensOut + other.tokensOut,
    isCounted: one.isCounted && other.isCounted,
  };
};

/**
 * What a request took that ended without a whole answer. A provider counts the prompt and what it wrote until then,
 * also for a caller who left or waited too long; it counts nothing where it refused or was not reached.
 */
const spentSoFar = ({ sent, signal }: Attempt, outcome: RequestEnd['outcome']): TokenUsage | null => {
  const { answer, earlier } = sent;
  if (answer === null) return earlier;
  const isCharged = answer.hasBegun || signal.aborted || outcome === 'UNUSABLE';
  return together(earlier, isCharged ? answer.spent : null);
};

/** Keeps what a try took that is made again. */
const forgetTry = ({ sent }: Attempt): void => {
  if (sent.answer?.hasBegun === true) sent.earlier = together(sent.earlier, sent.answer.spent);
  sent.answer = null;
};

const tokensOf = ({ usage }: Pick<RequestEnd, 'usage'>): number =>
  usage === null ? 0 : usage.tokensIn + usage.tokensOut;

/** Asks an endpoint that speaks the OpenAI chat API. Groups take turns, and each has a limit of tokens a minute. */
export class OpenAiChatModel extends ChatModel {
  readonly models: readonly string[];
  override readonly toolModels: readonly string[];
  private readonly client: OpenAI;
  private readonly places: FairSemaphore;
  private readonly tokens: GroupTokens;
  private readonly breaker = new CircuitBreaker({ failures: 6, openMs: PAUSE_MS, probeMs: PAUSE_MS });
  private readonly budget = new RetryBudget();

  private readonly observer: ChatObserver;
  private readonly accounts: ModelAccounts;
  private readonly firstWaitMs: number;

  constructor(endpoint: ChatEndpoint, options: ChatModelOptions = {}) {
    super();
    this.observer = options.observer ?? (() => undefined);
    this.accounts = options.accounts ?? new NoAccounts();
    this.firstWaitMs = options.firstWaitMs ?? FIRST_WAIT_MS;
    this.models = endpoint.models;
    this.toolModels = endpoint.toolModels;
    this.places = new FairSemaphore({
      ...{ permits: endpoint.concurrency, mostWaiting: MOST_WAITING },
      refusal: () => new ChatModelFailure('QUOTA', 'too many requests wait'),
    });
    this.tokens = new GroupTokens(endpoint.tokensPerMinute);
    // Nothing of the environment of the process reaches the provider, and the client neither retries nor logs.
    this.client = new OpenAI({
      ...{ baseURL: endpoint.baseUrl, apiKey: endpoint.apiKey ?? 'none', fetch: cappedFetch() },
      ...{ organization: null, project: null, maxRetries: 0, logLevel: 'off' },
    });
  }

  /** Requests that wait for their turn, and whether the circuit is open. */
  get load(): { readonly waiting: number; readonly isPaused: boolean } {
    return { waiting: this.places.queued, isPaused: this.breaker.isOpen };
  }

  async complete(request: ChatRequest): Promise<ChatCompletion> {
    for await (const part of this.answer(request, (attempt) => this.whole(attempt)))
      if (part.kind === 'end') return part.completion;
    throw new ChatModelFailure('UNREACHABLE', 'the answer broke off');
  }

  stream(request: ChatRequest): AsyncIterable<ChatPart> {
    return this.answer(request, (attempt) => this.parts(attempt));
  }

  /** Reserves tokens and a place, then asks. Whatever ends the answer gives both back and ends the request. */
  private async *answer(
    request: ChatRequest,
    ask: (attempt: Attempt) => AsyncIterable<ChatPart>,
  ): AsyncGenerator<ChatPart> {
    const began = performance.now();
    const attempt = this.attemptOf(request);
    const leave = new AbortController();
    const ends: ((end: RequestEnd) => void)[] = [() => leave.abort()];
    let ended: RequestEnd | undefined;
    const endOf = (outcome: RequestEnd['outcome']): RequestEnd => ({
      ...{ outcome, finish: null, usage: spentSoFar(attempt, outcome) },
    });
    const mostTokens = requestTokens(request) + request.maxTokens;
    const accounted = { callId: randomUUID(), request, model: attempt.model, mostTokens };
    const account = new RequestAccount(this.accounts, accounted, began);
    try {
      const settle = this.tokens.reserve(request.group, mostTokens);
      ends.push((end) => settle(tokensOf(end)));
      ends.push(await this.places.enter(request.group, attempt.signal));
      await account.open(attempt.signal);
      const signal = AbortSignal.any([attempt.signal, leave.signal]);
      for await (const part of this.retried({ ...attempt, signal }, ask)) {
        if (part.kind === 'end') {
          const { finish, usage } = part.completion;
          ended = { outcome: 'OK', finish, usage: together(attempt.sent.earlier, usage) };
          // Before anyone has the answer, so that no later kill leaves it uncounted.
          await account.close(ended);
        }
        yield part;
      }
    } catch (error) {
      const failure = this.failureIn(error, request);
      ended = endOf(failure instanceof ChatModelFailure ? failure.reason : 'ABORTED');
      throw failure;
    } finally {
      // A consumer that stops reading leaves no outcome.
      ended ??= endOf('ABORTED');
      for (const close of ends) close(ended);
      this.observer({ ...ended, model: attempt.model, seconds: (performance.now() - began) / 1_000 });
      await account.close(ended);
    }
  }

  private attemptOf(request: ChatRequest): Attempt {
    const model = request.model ?? this.models[0];
    if (model === undefined || !this.models.includes(model)) throw new ChatModelFailure('MODEL');
    const late = AbortSignal.timeout(request.timeoutMs);
    const signal = request.signal === undefined ? late : AbortSignal.any([request.signal, late]);
    const endsAt = performance.now() + request.timeoutMs;
    return { request, model, signal, endsAt, sent: { answer: null, earlier: null } };
  }

  private failureIn(error: unknown, { signal }: ChatRequest): ChatModelFailure | ChatAborted {
    if (signal?.aborted === true) return new ChatAborted();
    if (error instanceof CallerGone) return new ChatModelFailure('UNREACHABLE', 'no turn in time');
    return error instanceof ChatModelFailure ? error : failureOf(error);
  }

  private async *retried(
    attempt: Attempt,
    ask: (attempt: Attempt) => AsyncIterable<ChatPart>,
  ): AsyncGenerator<ChatPart> {
    for (let failures = 1; ; failures += 1) {
      let hasPassed = false;
      try {
        if (!this.breaker.admits()) throw new ChatModelFailure('UNREACHABLE', 'it failed several times in a row');
        for await (const part of ask(attempt)) {
          hasPassed = true;
          yield part;
        }
        this.breaker.succeeded();
        this.budget.succeeded();
        return;
      } catch (error) {
        const failure = this.failureIn(error, attempt.request);
        this.report(failure);
        const wait = hasPassed ? undefined : this.waitAfter(failure, failures, attempt);
        if (wait === undefined) throw failure;
        forgetTry(attempt);
        await pause(wait, attempt.signal);
      }
    }
  }

  /** Only a provider that does not answer opens the circuit: refusals and quotas concern one request or one key. */
  private report(failure: ChatModelFailure | ChatAborted): void {
    if (failure instanceof ChatAborted) return;
    if (failure.reason === 'UNREACHABLE') this.breaker.failed();
    else this.breaker.succeeded();
  }

  /** The wait before the next try; undefined where none may help, fits the deadline or is within the budget. */
  private waitAfter(
    failure: ChatModelFailure | ChatAborted,
    failures: number,
    { endsAt }: Attempt,
  ): number | undefined {
    if (failure instanceof ChatAborted || !failure.isTransient) return undefined;
    const backOff = withJitter(exponential(failures, this.firstWaitMs, LONGEST_WAIT_MS));
    const wait = Math.max(backOff, failure.retryAfterMs ?? 0);
    return performance.now() + wait < endsAt && this.budget.take() ? wait : undefined;
  }

  private async *whole({ request, model, signal, sent }: Attempt): AsyncGenerator<ChatPart> {
    const builder = (sent.answer = new AnswerBuilder(model, request));
    const answer: unknown = await this.client.chat.completions.create(
      { ...completionBody(request, model), stream: false },
      { signal, timeout: request.timeoutMs },
    );
    builder.add(answer, 'message');
    yield { kind: 'end', completion: builder.build() };
  }

  private async *parts({ request, model, signal, sent }: Attempt): AsyncGenerator<ChatPart> {
    const builder = (sent.answer = new AnswerBuilder(model, request));
    const chunks: AsyncIterable<unknown> = await this.client.chat.completions.create(
      { ...completionBody(request, model), stream: true, stream_options: { include_usage: true } },
      { signal, timeout: request.timeoutMs },
    );
    for await (const chunk of chunks) {
      const text = builder.add(chunk, 'delta');
      if (text !== '') yield { kind: 'text', text };
    }
    // The client ends a stream without an error when its signal ends it.
    if (signal.aborted) throw new ChatModelFailure('UNREACHABLE', 'no answer in time');
    yield { kind: 'end', completion: builder.build() };
  }
}
