import { CircuitBreaker, Semaphore } from '@acervo/platform-resilience';
import { Embedder, type EmbeddingKind, type EmbeddingModel } from '../embedder';
import { EmbedderAnswerUnusable, EmbedderRefused, EmbedderUnavailable } from '../embedder.errors';
import { batchesOf } from './batches';
import { ConnectionTurns } from './connection-turns';
import { vectorsOfAnswer } from './embeddings-answer';
import { GatheredTexts } from './gathered-texts';
import { guarded } from './guarded';
import { observed, type RequestObserver } from './request-observer';
import { retried } from './retry';

/** Settings for one kind of text: endpoint, time limits, concurrency. */
export interface QueueSettings {
  /** Base of the API; `/v1/embeddings` is appended if it is missing. */
  readonly url: string;
  /** Time limit of one request; the budget covers all its tries. */
  readonly timeoutMs: number;
  readonly budgetMs: number;
  /** Largest number of concurrent requests. */
  readonly concurrency: number;
  /** Prefix of each text, for models that distinguish queries and passages by it. */
  readonly prefix: string;
}

/** How busy an endpoint is with one kind of text. */
export interface EmbedderLoad {
  readonly waiting: number;
  /** It failed repeatedly and is not asked for a moment. */
  readonly isPaused: boolean;
}

/** An endpoint that speaks the OpenAI embeddings API. */
export interface HttpEmbedderSettings {
  readonly embeddingModel: EmbeddingModel;
  /** Name of the model as the endpoint knows it. */
  readonly model: string;
  readonly apiKey: string | null;
  /** Sends `input_type` with each request. */
  readonly inputType: boolean;
  readonly encoding: 'float' | 'base64';
  readonly batchTexts: number;
  readonly batchCharacters: number;
  readonly query: QueueSettings;
  readonly passage: QueueSettings;
}

const FIRST_WAIT_MS = 100;
const MOST_WAITING = 256;
/** How long the circuit stays open after repeated failures, and the time limit of its probe. */
const PAUSE_MS = 2_000;

const circuitOf = (failures: number): CircuitBreaker =>
  new CircuitBreaker({ failures, openMs: PAUSE_MS, probeMs: PAUSE_MS });

const semaphoreOf = (permits: number): Semaphore =>
  new Semaphore({
    ...{ permits, mostWaiting: MOST_WAITING },
    refusal: () => new EmbedderUnavailable('too many texts wait for it'),
  });

/** The address of the embeddings of an API, given its base or the address itself. */
export const endpointOf = (url: string): string => {
  const base = url.replace(/\/$/, '');
  if (base.endsWith('/embeddings')) return base;
  return base.endsWith('/v1') ? `${base}/embeddings` : `${base}/v1/embeddings`;
};

const secondsOf = (header: string | null): number | null => {
  const seconds = Number(header);
  return header === null || !Number.isFinite(seconds) ? null : seconds * 1_000;
};

/**
 * Asks an OpenAI-compatible endpoint. Queries have their own semaphore, so that they never wait behind passages here.
 * Passages of several callers share requests.
 */
export class HttpEmbedder extends Embedder {
  override readonly remote = true;
  readonly embeddingModel: EmbeddingModel;
  private readonly semaphores: Readonly<Record<EmbeddingKind, Semaphore>>;
  private readonly turns: Readonly<Record<EmbeddingKind, ConnectionTurns>>;
  private readonly passages: GatheredTexts;
  private readonly breakers = { query: circuitOf(5), passage: circuitOf(8) } as const;

  constructor(
    private readonly settings: HttpEmbedderSettings,
    private readonly observer: RequestObserver = () => undefined,
  ) {
    super();
    this.embeddingModel = settings.embeddingModel;
    this.passages = new GatheredTexts((texts) => this.embedNow(texts, 'passage'), settings.batchTexts);
    this.semaphores = {
      query: semaphoreOf(settings.query.concurrency),
      passage: semaphoreOf(settings.passage.concurrency),
    };
    this.turns = {
      query: new ConnectionTurns(settings.query.concurrency),
      passage: new ConnectionTurns(settings.passage.concurrency),
    };
  }

  /** Requests of a kind that wait for their turn, and whether its circuit is open. */
  load(kind: EmbeddingKind): EmbedderLoad {
    return { waiting: this.semaphores[kind].queued, isPaused: this.breakers[kind].isOpen };
  }

  embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    return kind === 'passage' ? this.passages.vectors(texts) : this.embedNow(texts, kind);
  }

  private async embedNow(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    const { batchTexts, batchCharacters } = this.settings;
    const { prefix } = this.settings[kind];
    const prefixed = texts.map((text) => prefix + text);
    const batches = batchesOf(prefixed, batchTexts, batchCharacters);
    return (await this.embedBatches(batches, kind)).flat();
  }

  /** Runs a few batches at a time; after the first failure no further batch starts. */
  private async embedBatches(batches: readonly string[][], kind: EmbeddingKind): Promise<Float32Array[][]> {
    const vectors: Float32Array[][] = [];
    const waiting = [...batches.entries()].toReversed();
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
        vectors[next[0]] = await this.embedBatch(next[1], kind).catch((error: unknown) => {
          waiting.length = 0;
          throw error;
        });
    };
    await Promise.all(Array.from({ length: this.settings[kind].concurrency }, work));
    return vectors;
  }

  /**
   * The budget starts when the semaphore admits the batch. A batch between two tries keeps its permit, which slows down
   * the others.
   */
  private embedBatch(batch: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    const { budgetMs, timeoutMs } = this.settings[kind];
    return this.semaphores[kind].run(() =>
      retried({ budgetMs, firstWaitMs: FIRST_WAIT_MS }, (leftMs) =>
        guarded(this.breakers[kind], () =>
          observed(this.observer, kind, () => this.ask(batch, kind, Math.min(timeoutMs, leftMs))),
        ),
      ),
    );
  }

  private async ask(batch: readonly string[], kind: EmbeddingKind, timeoutMs: number): Promise<Float32Array[]> {
    const signal = AbortSignal.timeout(Math.max(1, Math.floor(timeoutMs)));
    const answer = await this.send(batch, kind, signal);
    const { status } = answer;
    if (!answer.ok) {
      await answer.body?.cancel();
      if (status !== 408 && status !== 429 && status < 500) throw new EmbedderRefused(status);
      throw new EmbedderUnavailable(`status ${status}`, secondsOf(answer.headers.get('retry-after')));
    }
    return vectorsOfAnswer(await this.body(answer), batch.length, this.embeddingModel.dimension);
  }

  private async send(batch: readonly string[], kind: EmbeddingKind, signal: AbortSignal): Promise<Response> {
    const { model, apiKey, inputType, encoding } = this.settings;
    try {
      return await fetch(endpointOf(this.settings[kind].url), {
        method: 'POST',
        redirect: 'error',
        signal,
        headers: {
          'content-type': 'application/json',
          ...(this.turns[kind].isDue() ? { connection: 'close' } : {}),
          ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({
          model,
          input: batch,
          encoding_format: encoding,
          ...(inputType ? { input_type: kind } : {}),
        }),
      });
    } catch {
      throw new EmbedderUnavailable(signal.aborted ? 'no answer in time' : 'no connection');
    }
  }

  /** A truncated answer is unavailable and retried. Invalid JSON is final: a retry returns the same. */
  private async body(answer: Response): Promise<unknown> {
    const text = await answer.text().catch(() => {
      throw new EmbedderUnavailable('the answer broke off');
    });
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new EmbedderAnswerUnusable('it is no JSON');
    }
  }
}
