import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Embedder, type EmbeddingKind, type EmbeddingModel } from '../embedder';
import { E5 } from '../embedder-settings';
import { type ModelFile, type Precision, PRECISIONS } from './model-files';
import { LEAST_COSINE, worstCosine } from './self-test';
import type { Embedded, SessionSettings } from './session-messages';
import { SessionThread } from './session-thread';
import { SessionThreads } from './session-threads';

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
const MOST_WAITING = { passage: 4_096, query: 256 } as const;
/** Passages leave a core free this long after a question. */
const SEARCHING_MS = 5_000;

const sharedFile = (directory: string, name: ModelFile): SharedArrayBuffer => {
  const bytes = readFileSync(join(directory, name));
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
};

type Tested = Pick<E5Sessions, 'precision' | 'cosine'>;

/** The fastest precision whose vectors are right on this processor. @throws E5Unusable */
const choosePrecision = async (
  settings: (precision: Precision) => SessionSettings,
  leastCosine: number,
): Promise<Tested> => {
  let cosine = -1;
  for (const precision of PRECISIONS) {
    const thread = await SessionThread.open(settings(precision));
    cosine = await worstCosine((text, kind) => thread.run({ text, kind }));
    await thread.close();
    if (cosine >= leastCosine) return { precision, cosine };
  }
  throw new E5Unusable(cosine);
};

/**
 * multilingual-e5-small in threads of this process. Passages use all cores, and all but one while questions come;
 * questions have a thread of their own.
 */
export class E5Sessions extends Embedder {
  readonly embeddingModel: EmbeddingModel = E5;
  private readonly threads: Readonly<Record<EmbeddingKind, SessionThreads>>;
  private lastQuery = -Infinity;

  private constructor(
    { cores, onEnd }: E5Options,
    settings: SessionSettings,
    /** How the matrices of the layers are multiplied. */
    readonly precision: Precision,
    /** Least cosine of the self-test. */
    readonly cosine: number,
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
   * Resolves when all threads run.
   * @throws E5Unusable if no precision gives the stored vectors, ThreadEnded if no session can be opened
   */
  static async open(options: E5Options): Promise<E5Sessions> {
    const { directory, leastCosine = LEAST_COSINE } = options;
    const vocabulary = sharedFile(directory, 'vocabulary.bin');
    const settings = (precision: Precision): SessionSettings => ({
      directory,
      precision,
      vocabulary,
      cores: 1,
      nice: 0,
    });
    const { precision, cosine } = await choosePrecision(settings, leastCosine);
    const sessions = new E5Sessions(options, settings(precision), precision, cosine);
    await Promise.all(Object.values(sessions.threads).map((threads) => threads.start()));
    return sessions;
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

  /** How long the longest run has lasted, in milliseconds. */
  get longestRunMs(): number {
    return Math.max(this.threads.query.longestRunMs, this.threads.passage.longestRunMs);
  }

  /** Ends the threads after their current text. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.threads).map((threads) => threads.close()));
  }

  private get isSearching(): boolean {
    return performance.now() - this.lastQuery < SEARCHING_MS;
  }
}
