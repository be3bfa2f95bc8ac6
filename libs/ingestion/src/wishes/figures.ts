import type { IngestionProgress, StatusCount } from '@acervo/contracts';
import { documentStatus } from '@acervo/public-mapping';

/** How far the documents are, as people are shown it. */
export interface Figures {
  /** Documents that have a file; those that are missing are counted apart. */
  readonly total: number;
  /** Those of them that no work waits for. */
  readonly done: number;
  readonly searchable: number;
  /** Null where they are not what is counted. */
  readonly chunks: number | null;
  readonly states: readonly { readonly name: string; readonly documents: number }[];
  /** Documents a second; null as long as nobody can tell. */
  readonly perSecond: number | null;
  /** Seconds until nothing waits any more; null as long as nobody can tell. */
  readonly secondsLeft: number | null;
}

/** Work is judged by what was done in so long: what came before tells little about what is done now. */
const WINDOW_MS = 60_000;
/** Less than this tells nothing. */
const SHORTEST_MS = 2_000;

/** How fast documents get done. Times are given, so that nothing here reads a clock. */
export class Pace {
  private samples: readonly { readonly at: number; readonly done: number }[] = [];

  /** @param at milliseconds of a clock that only rises; @param done documents that no work waits for. */
  note(at: number, done: number): void {
    this.samples = [...this.samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, done }];
  }

  /** Documents a second; null before anything can be said, and when nothing gets done. */
  get perSecond(): number | null {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < SHORTEST_MS) return null;
    const rate = ((last.done - first.done) * 1_000) / (last.at - first.at);
    return rate > 0 ? rate : null;
  }
}

const sum = (counts: readonly StatusCount[]): number => counts.reduce((total, { documents }) => total + documents, 0);

export const figuresOf = ({ counts, waiting, chunks }: IngestionProgress, pace: number | null = null): Figures => {
  const total = sum(counts.filter(({ status }) => status !== 'NO_ENCONTRADO'));
  return {
    total,
    done: total - waiting,
    searchable: sum(counts.filter(({ status }) => status === 'VECTORIZADO')),
    chunks,
    states: counts.map(({ status, documents }) => ({
      name: documentStatus.toPublic(status).toLowerCase(),
      documents,
    })),
    perSecond: pace,
    secondsLeft: pace === null ? null : Math.ceil(waiting / pace),
  };
};
