import { Embedder, type EmbeddingKind, type EmbeddingModel } from '../embedder';
import { E5 } from '../embedder-settings';
import { type Precision, PRECISIONS } from './model-files';
import { LEAST_COSINE, worstCosine } from './self-test';
import type { Embedded, SessionSettings } from './session-messages';
import { SessionThread } from './session-thread';
import { SessionThreads } from './session-threads';
import { readVocabulary } from './vocabulary';

export interface E5Options {
  /** Directory of the converted model. */
  readonly directory: string;
  readonly cores: number;
  /** Least cosine with the stored vectors that a precision has to reach. */
  readonly leastCosine?: number;
  /** Reports that a thread died; it is replaced. */
  readonly onEnd?: (error: Error) => void;
}

/** No precision gives the stored vectors on this processor. */
export class E5Unusable extends Error {
  constructor(cosine: number) {
    super(`its vectors are wrong on this processor (cosine ${cosine.toFixed(4)} with the stored ones)`);
    this.name = 'E5Unusable';
  }
}

/** Sessions for passages: each takes about 40 MB. On more cores, each run uses several of them. */
const MOST_PASSAGE_THREADS = 4;
/** Passages run at a lower priority than questions and everything else. */
const PASSAGES_STAND_BACK = 10;
const MOST_WAITING = { passage: 2_048, query: 256 } as const;
/** A text takes less than a second; a thread that takes this long hangs. */
const HANGS_MS = 30_000;
/** Passages leave a core free this long after a question. */
const SEARCHING_MS = 5_000;

/**
 * multilingual-e5-small in threads of this process. Passages use all cores, and all but one while questions come;
 * questions have a thread of their own.
 */
export class E5Sessions extends Embedder {
  readonly embeddingModel: EmbeddingModel = E5;
  private readonly threads: Readonly<Record<EmbeddingKind, SessionThreads>>;
  private lastQuery = -Infinity;
  /** Least cosine of the self-test. */
  private tested = -1;

  private constructor(
    { cores, onEnd }: E5Options,
    settings: SessionSettings,
    /** How the matrices of the layers are multiplied. */
    readonly precision: Precision,
  ) {
    super();
    const passages = Math.min(cores, MOST_PASSAGE_THREADS);
    const each = Math.max(1, Math.floor(cores / passages));
    const report = onEnd === undefined ? {} : { onEnd };
    this.threads = {
      query: new SessionThreads({
        ...{ threads: 1, mostWaiting: MOST_WAITING.query, ...report },
        open: () => SessionThread.open({ ...settings, cores: 1, nice: 0 }),
      }),
      passage: new SessionThreads({
        ...{ threads: passages, mostWaiting: MOST_WAITING.passage, ...report },
        open: () => SessionThread.open({ ...settings, cores: each, nice: PASSAGES_STAND_BACK }),
        allowed: () => (this.isSearching ? passages - 1 : passages),
      }),
    };
  }

  /**
   * Opens the fastest precision whose vectors are right on this processor; resolves when all threads run.
   * @throws E5Unusable if no precision gives the stored vectors, SessionThreadEnded if no session can be opened
   */
  static async open(options: E5Options): Promise<E5Sessions> {
    const { directory, leastCosine = LEAST_COSINE } = options;
    const shared = { directory, vocabulary: readVocabulary(directory), cores: 1, nice: 0 };
    let cosine = -1;
    for (const precision of PRECISIONS) {
      const sessions = new E5Sessions(options, { ...shared, precision }, precision);
      cosine = await sessions.start();
      if (cosine >= leastCosine) return sessions;
      await sessions.close();
    }
    throw new E5Unusable(cosine);
  }

  /** Least cosine with the stored vectors, as the self-test measured it. */
  get cosine(): number {
    return this.tested;
  }

  async embed(texts: readonly string[], kind: EmbeddingKind): Promise<Float32Array[]> {
    return (await this.encode(texts, kind)).map(({ vector }) => vector);
  }

  /**
   * Vectors with their numbers of tokens.
   * @param signal gives the texts up
   * @throws EmbedderUnavailable when too many texts wait
   */
  encode(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Embedded[]> {
    if (kind === 'query') this.lastQuery = performance.now();
    return this.threads[kind].embed(
      texts.map((text) => ({ text, kind })),
      signal,
    );
  }

  /** Texts that wait for a thread. */
  waiting(kind: EmbeddingKind): number {
    return this.threads[kind].waiting;
  }

  /** Whether both kinds have a thread, and none hangs. */
  get isHealthy(): boolean {
    return Object.values(this.threads).every(({ isOpen, longestRunMs }) => isOpen && longestRunMs < HANGS_MS);
  }

  /** Ends the threads after their current text. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.threads).map((threads) => threads.close()));
  }

  private async start(): Promise<number> {
    const { query, passage } = this.threads;
    await Promise.all([query.start(), passage.start()]);
    this.tested = await worstCosine(async (text, kind) => (await query.embed([{ text, kind }]))[0]?.vector);
    return this.tested;
  }

  private get isSearching(): boolean {
    return performance.now() - this.lastQuery < SEARCHING_MS;
  }
}
