import { Embedder, type EmbeddingKind, type EmbeddingModel } from '../embedder';
import { EmbedderAnswerUnusable, EmbedderRefused, EmbedderUnavailable } from '../embedder.errors';
import { batchesOf } from './batches';
import { Breaker } from './breaker';
import { vectorsOfAnswer } from './embeddings-answer';
import { Lane } from './lane';
import { retried } from './retry';

/** How one kind of text is asked for: where, how long, how many at a time. */
export interface LaneSettings {
  /** Base of the API: `/v1/embeddings` is appended unless it stands there. */
  readonly url: string;
  /** Longest that one request takes, and longest with all its tries. */
  readonly timeoutMs: number;
  readonly budgetMs: number;
  /** Requests under way at a time. */
  readonly concurrency: number;
  /** Put before each text, for models that tell queries and passages apart by it. */
  readonly prefix: string;
}

/** An endpoint that speaks the OpenAI embeddings API. */
export interface HttpEmbedderSettings {
  readonly space: EmbeddingModel;
  /** Name of the model as the endpoint knows it. */
  readonly model: string;
  readonly apiKey: string | null;
  /** Says `input_type` in each request. */
  readonly inputType: boolean;
  readonly encoding: 'float' | 'base64';
  readonly batchTexts: number;
  readonly batchCharacters: number;
  readonly query: LaneSettings;
  readonly passage: LaneSettings;
}

const FIRST_WAIT_MS = 100;
const MOST_WAITING = 256;

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

/** Asks an OpenAI-compatible endpoint. Queries have a way of their own, so that they never wait behind passages here. */
export class HttpEmbedder extends Embedder {
  override readonly remote = true;
  readonly space: EmbeddingModel;
  private readonly lanes: Readonly<Record<EmbeddingKind, Lane>>;
  private readonly breakers = { query: new Breaker(5), passage: new Breaker(8) } as const;

  constructor(private readonly settings: HttpEmbedderSettings) {
    super();
    this.space = settings.space;
    this.lanes = {
      query: new Lane(settings.query.concurrency, MOST_WAITING),
      passage: new Lane(settings.passage.concurrency, MOST_WAITING),
    };
  }

  async embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    const { batchTexts, batchCharacters } = this.settings;
    const { prefix } = this.settings[kind];
    const prefixed = texts.map((text) => prefix + text);
    const batches = batchesOf(prefixed, batchTexts, batchCharacters);
    return (await this.inTurn(batches, kind)).flat();
  }

  /** A few batches at a time; after the first failure no further one is begun. */
  private async inTurn(batches: readonly string[][], kind: EmbeddingKind): Promise<Float32Array[][]> {
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

  /** The budget runs from its turn on; whoever waits between two tries keeps its place, which slows the others down. */
  private embedBatch(batch: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    const { budgetMs, timeoutMs } = this.settings[kind];
    return this.lanes[kind].run(() =>
      retried({ budgetMs, firstWaitMs: FIRST_WAIT_MS }, (leftMs) =>
        this.breakers[kind].run(() => this.ask(batch, kind, Math.min(timeoutMs, leftMs))),
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
    return vectorsOfAnswer(await this.body(answer), batch.length, this.space.dimension);
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

  /** An answer that breaks off is one that did not come; one that is no JSON will be none the next time. */
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
