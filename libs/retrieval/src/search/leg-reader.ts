import { type Languages, queryTerms } from '@acervo/analysis';
import { type Embedders, EmbedderUnavailable } from '@acervo/models';
import { type Logger, type Metrics, Tracer } from '@acervo/platform-observability';
import type { Visibility } from '@acervo/rbac';
import type { LexicalIndex, RankedChunk, RankedVector, VectorIndex } from '../legs/ranking';
import type { LiveSpace } from '../spaces/space.store';
import { inTime } from './in-time';

const START_DEPTH = 200;
const DEEPER = 3;
const DEEPEST = 2_000;

/** What both legs have to say to a query; null for a leg that did not answer. */
export interface Rankings {
  readonly lexical: readonly RankedChunk[] | null;
  readonly vector: readonly RankedVector[] | null;
}

export interface LegRequest {
  readonly query: string;
  /** Distinct documents that each leg is read for. */
  readonly documents: number;
  readonly visibility: Visibility;
  readonly space: LiveSpace;
}

const distinctDocuments = (ranking: readonly RankedChunk[]): number =>
  new Set(ranking.map(({ documentId }) => documentId)).size;

/** Reads a leg deeper until it yields enough documents or ends. */
const readDeeply = async <R extends RankedChunk>(
  documents: number,
  read: (depth: number) => Promise<readonly R[]>,
): Promise<readonly R[]> => {
  for (let depth = START_DEPTH; ; depth = Math.min(DEEPEST, depth * DEEPER)) {
    const ranking = await read(depth);
    if (ranking.length < depth || distinctDocuments(ranking) >= documents || depth >= DEEPEST) return ranking;
  }
};

export interface LegParts {
  readonly lexical: LexicalIndex;
  readonly vector: VectorIndex;
  readonly embedders: Embedders;
  /** Languages that queries are looked up in. */
  readonly languages: Languages;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  /** How long a search that one leg has answered waits for the other one. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 1_800;
const LEGS = ['lexical', 'vector'] as const;
type Leg = (typeof LEGS)[number];

/** Asks both legs at once. One that fails, or takes too long, is left out, counted and logged; the other answers. */
export class LegReader {
  private readonly seconds;
  private readonly missing;

  constructor(private readonly parts: LegParts) {
    this.seconds = parts.metrics.seconds('leg', 'Time that a leg of a search took', ['leg', 'engine', 'outcome']);
    this.missing = parts.metrics.counter('leg_left_out_total', 'Searches that were answered without a leg', [
      'leg',
      'engine',
      'reason',
    ]);
  }

  async read(request: LegRequest): Promise<Rankings> {
    const { query, documents, visibility, space } = request;
    const { languages, ...legs } = this.parts;
    const answers = [
      this.guarded('lexical', () => {
        const terms = queryTerms(query, languages);
        return readDeeply(documents, (depth) => legs.lexical.rank({ visibility, space, depth }, terms));
      }),
      this.guarded('vector', async () => {
        const embedded = await this.embed(space, query);
        return readDeeply(documents, (depth) => legs.vector.rank({ visibility, space, depth }, embedded));
      }),
    ] as const;
    const [lexical, vector] = await inTime<[readonly RankedChunk[], readonly RankedVector[]]>(
      answers,
      this.parts.patienceMs ?? PATIENCE_MS,
      (index) => this.leaveOut(LEGS[index] ?? 'lexical', 'late'),
    );
    return { lexical, vector };
  }

  /** The query in the space that is searched. @throws when nobody here embeds in it, or the embedder does not answer. */
  private async embed(space: LiveSpace, query: string): Promise<Float32Array> {
    const embedder = this.parts.embedders.of(space);
    if (embedder === undefined) throw new EmbedderUnavailable(`${space.model} is not configured here`);
    const [embedded] = await embedder.embed([query], 'query');
    if (embedded === undefined) throw new EmbedderUnavailable('it gave no vector');
    return embedded;
  }

  private async guarded<T>(leg: Leg, read: () => Promise<T>): Promise<T | null> {
    const { engine } = this.parts[leg];
    const span = { name: `leg ${leg}`, kind: 'internal', attributes: { 'acervo.engine': engine } } as const;
    const stop = this.seconds.startTimer({ leg, engine });
    try {
      const ranking = await (this.parts.tracer ?? Tracer.none).run(span, read);
      stop({ outcome: 'answered' });
      return ranking;
    } catch (error) {
      stop({ outcome: 'failed' });
      this.leaveOut(leg, 'failed', error);
      return null;
    }
  }

  private leaveOut(leg: Leg, reason: 'failed' | 'late', error?: unknown): void {
    const { engine } = this.parts[leg];
    this.missing.inc({ leg, engine, reason });
    this.parts.logger.error({ error, leg, engine, reason }, 'a leg is down; the other one answers');
  }
}
