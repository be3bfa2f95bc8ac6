import { Injectable } from '@nestjs/common';
import { Overloaded } from '@acervo/contracts';
import { beginAtZero, Telemetry } from '@acervo/platform-observability';
import { withTimeout } from '@acervo/platform-resilience';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { LexicalIndex, type RankedChunk, type RankedVector, type SearchTarget, VectorIndex } from '../legs/ranking';
import { LEG, LEG_LEFT_OUT } from '../retrieval.metrics';
import { inTime } from './in-time';
import { QueryEmbedder } from './query-embedder';

const START_DEPTH = 200;
const DEEPER = 3;
/** A ranking waits so long for the first measurement of its vectors; then words decide. */
const MEASURING_MS = 500;

/** How far the legs are read. */
export interface Reach {
  /** Most chunks of each leg. */
  readonly deepest: number;
  /** How long the answer of one leg waits for the other one. */
  readonly patienceMs: number;
}

/** The reach of a search that a user waits for. */
const OF_SEARCHES: Reach = { deepest: 2_000, patienceMs: 1_800 };

/** Chunks of a leg for each document that is gathered. */
const CHUNKS_EACH = 4;

/** The reach of a search that gathers documents for a set. */
export const reachFor = (documents: number): Reach => ({
  deepest: Math.max(OF_SEARCHES.deepest, CHUNKS_EACH * documents),
  patienceMs: 10_000,
});

/** The rankings of both legs for a query; null for a leg that did not answer. */
export interface Rankings {
  readonly lexical: readonly RankedChunk[] | null;
  readonly vector: readonly RankedVector[] | null;
  /** How far the vectors hold meaning, from 0 to 1; 0 where that leg did not answer. */
  readonly meaning: number;
}

/** The answer of the vector leg. */
interface Meant {
  readonly ranking: readonly RankedVector[];
  readonly meaning: number;
}

export interface LegRequest {
  readonly query: string;
  /** Those of the query, as the lexical leg takes them. */
  readonly terms: string;
  /** Distinct documents that each leg is read for. */
  readonly documents: number;
  /** That of a search without it. */
  readonly reach?: Reach | undefined;
}

const distinctDocuments = (ranking: readonly RankedChunk[]): number =>
  new Set(ranking.map(({ documentId }) => documentId)).size;

/** Reads a leg deeper until it yields enough documents or ends. */
const readDeeply = async <R extends RankedChunk>(
  documents: number,
  deepest: number,
  read: (depth: number) => Promise<readonly R[]>,
): Promise<readonly R[]> => {
  // A chunk is of one document, so a smaller depth yields too few.
  for (let depth = Math.max(START_DEPTH, Math.min(documents, deepest)); ; depth = Math.min(deepest, depth * DEEPER)) {
    const ranking = await read(depth);
    if (ranking.length < depth || distinctDocuments(ranking) >= documents || depth >= deepest) return ranking;
  }
};

const LEGS = ['lexical', 'vector'] as const;
type Leg = (typeof LEGS)[number];

/** What became of the legs of one search. */
interface Asking {
  readonly overloads: Overloaded[];
  readonly leftOut: Set<Leg>;
}

/** Queries both legs at once. A leg that fails or takes too long is left out, counted and logged; the other answers. */
@Injectable()
export class LegReader {
  private readonly seconds;
  private readonly missing;

  constructor(
    private readonly lexical: LexicalIndex,
    private readonly vector: VectorIndex,
    private readonly embedder: QueryEmbedder,
    private readonly telemetry: Telemetry,
  ) {
    const { metrics } = telemetry;
    this.seconds = metrics.seconds(LEG);
    this.missing = metrics.counter(LEG_LEFT_OUT);
    for (const leg of LEGS)
      beginAtZero(this.missing, { leg: [leg], engine: [this[leg].engine], reason: ['failed', 'late'] });
  }

  async read(target: SearchTarget, { query, terms, documents, reach = OF_SEARCHES }: LegRequest): Promise<Rankings> {
    const { deepest, patienceMs } = reach;
    const asking: Asking = { overloads: [], leftOut: new Set() };
    const answers = [
      this.guarded('lexical', asking, () =>
        readDeeply(documents, deepest, (depth) => this.lexical.rank({ ...target, depth }, terms)),
      ),
      this.guarded('vector', asking, async () => {
        const { visibility, embeddingIndex } = target;
        // The question is sent before the sentences of the first measurement, so that it does not wait for them.
        const asked = this.embedder.embed(visibility, embeddingIndex, query);
        const measured = this.measured(embeddingIndex);
        const embedded = await asked;
        const ranking = await readDeeply(documents, deepest, (depth) =>
          this.vector.rank({ ...target, depth }, embedded),
        );
        const meaning = await withTimeout(MEASURING_MS, measured, () => new Error('not measured')).catch(() => 0);
        return { ranking, meaning };
      }),
    ] as const;
    const [lexical, vector] = await inTime<[readonly RankedChunk[], Meant]>(answers, patienceMs, (index) =>
      this.leaveOut(LEGS[index] ?? 'lexical', asking, 'late'),
    );
    // A leg that had no turn is not down: the whole search is refused, and repeated by its caller.
    for (const overload of asking.overloads) throw overload;
    return { lexical, vector: vector?.ranking ?? null, meaning: vector?.meaning ?? 0 };
  }

  /** How far vectors hold meaning. Until that is measured, they are taken for ones without: words decide. */
  private measured(embeddingIndex: LiveEmbeddingIndex): Promise<number> {
    return this.embedder.meaning(embeddingIndex).catch((error: unknown) => {
      const { model } = embeddingIndex;
      this.telemetry.logger.warn({ error, model }, 'the vectors are not measured yet; words decide');
      return 0;
    });
  }

  private async guarded<T>(leg: Leg, asking: Asking, read: () => Promise<T>): Promise<T | null> {
    const { engine } = this[leg];
    const span = { name: `leg ${leg}`, kind: 'internal', attributes: { 'acervo.engine': engine } } as const;
    const stop = this.seconds.startTimer({ leg, engine });
    try {
      const ranking = await this.telemetry.tracer.run(span, read);
      stop({ outcome: 'answered' });
      return ranking;
    } catch (error) {
      stop({ outcome: 'failed' });
      if (error instanceof Overloaded) {
        asking.overloads.push(error);
        return null;
      }
      this.leaveOut(leg, asking, 'failed', error);
      return null;
    }
  }

  private leaveOut(leg: Leg, { leftOut }: Asking, reason: 'failed' | 'late', error?: unknown): void {
    // A late leg may fail afterwards; the search is without it once.
    if (leftOut.has(leg)) return;
    leftOut.add(leg);
    const { engine } = this[leg];
    this.missing.inc({ leg, engine, reason });
    this.telemetry.logger.error({ error, leg, engine, reason }, 'a leg is down; the other one answers');
  }
}
